// The page of `gridlock sweep --html`.
"use strict";
(() => {
  const { header, points, knees, reversals, notes, state_titles: titles } = G.data, axes = header.axes;
  const nameOf = (axis) => (header.scaling ? "GPUs" : axis.paths.join(", ")), textOf = (axis, i) => (header.scaling ? d3.format(",")(axis.numbers[i]) : axis.values[i].join(", "));
  const strides = axes.map((_, a) => axes.slice(a + 1).reduce((n, axis) => n * axis.values.length, 1));
  const number = (text) => parseFloat(text);
  const byIndex = new Map(points.filter((p) => p.index >= 0).map((p) => [p.index, p]));
  const numeric = (axis) => axis.numbers && axis.numbers.length === axis.values.length;

  // Logarithmic where the values grow by factors.
  const scaleOf = (axis) => {
    const v = axis.numbers;
    const log = v.length > 2 && Math.min(...v) > 0 && Math.max(...v) / Math.min(...v) >= 8;
    return { label: nameOf(axis) + (axis.unit ? ` (${axis.unit})` : ""), log, format: (x) => G.three(x) };
  };

  G.root.append("h1").text(`${header.scenario}: sweep of ${axes.map(nameOf).join(" and ")}`);
  G.root.append("p").attr("class", "soft").text(`${points.filter((p) => !p.error).length} points simulated by gridlock ${header.version}` + (points.some((p) => p.error) ? `, ${points.filter((p) => p.error).length} failed` : ""));

  const findings = G.section("What it says", "findings").append("ul").attr("class", "story");
  const said = [...knees.map((k) => k.text), ...reversals.map((r) => r.text), ...notes], first = 8;
  for (const text of said.slice(0, first)) findings.append("li").attr("class", "finding").text(text);
  if (said.length > first) {
    const rest = d3.select(findings.node().parentNode).append("details");
    rest.append("summary").text(`and ${said.length - first} more`);
    const list = rest.append("ul").attr("class", "story");
    for (const text of said.slice(first)) list.append("li").attr("class", "finding").text(text);
  }
  if (!knees.length && !reversals.length && !notes.length) findings.append("li").text("No knee: the step time does not change by more than the threshold.");

  // ---- one line of the grid -------------------------------------------------------------------------------------------------

  const line = (a, held) => {
    const axis = axes[a], all = [];
    for (let i = 0; i < axis.values.length; i++) {
      const at = held.slice();
      at[a] = i;
      const point = byIndex.get(at.reduce((sum, k, axisAt) => sum + k * strides[axisAt], 0));
      if (point && !point.error) all.push({ x: numeric(axis) ? axis.numbers[i] : i, label: textOf(axis, i), point });
    }
    if (numeric(axis)) {
      const paths = axes.map((other) => other.paths.length);
      const first = (k) => paths.slice(0, k).reduce((n, p) => n + p, 0);
      for (const point of points)
        if (point.index < 0 && !point.error && axes.every((other, k) => k === a || other.values[held[k]].every((v, j) => v === point.values[first(k) + j])))
          all.push({ x: number(point.values[first(a)]), label: point.values[first(a)] + " (refined)", point });
    }
    return all.sort((p, q) => p.x - q.x);
  };

  const draw = (where, a, held) => {
    where.selectAll("*").remove();
    const axis = axes[a], row = line(a, held);
    if (!row.length) return where.append("p").text("No point of this line could be simulated.");
    const x = numeric(axis) ? scaleOf(axis) : { label: nameOf(axis), log: false, format: (i) => (Number.isInteger(i) && axis.values[i] ? textOf(axis, i) : "") };
    const here = knees.filter((k) => k.axis === a && k.held.every((h, i) => i === a || h === held[i]));
    const marks = here.map((k) => ({ x: k.value, text: `knee ${G.three(k.value)}${k.unit}` }));
    const series = (name, colour, value, format) => ({ name, colour, points: row.map((p) => [p.x, value(p.point), `${nameOf(axis)} ${p.label}\n${name}: ${format(value(p.point))}`]) });
    const title = (text) => where.append("h3").text(text);

    title("Step time");
    G.lines(where, "step time", { x, y: { label: "step time", format: G.seconds }, marks, series: [series("step time", G.palette[0], (p) => p.step_s, G.seconds)] });

    title("What the time is spent on");
    const cause = (c) => (titles[c.state] || c.state) + (c.kind === "kernel" ? "" : c.kind === "peer" ? "" : `, bound by ${c.name || (c.kind === "copy" ? "the GPUs' copy rate" : c.kind)}`);
    const largest = new Map(), kernels = new Set();
    for (const p of row) for (const c of p.point.causes) {
      largest.set(cause(c), Math.max(largest.get(cause(c)) || 0, c.seconds));
      if (c.kind === "kernel") kernels.add(cause(c));
    }
    // Work below, waits above it.
    const bySize = [...largest.keys()].sort((a, b) => largest.get(b) - largest.get(a)).slice(0, G.palette.length - 1);
    const named = [...bySize.filter((name) => kernels.has(name)), ...bySize.filter((name) => !kernels.has(name))];
    const stacked = row.map((p) => {
      const values = {};
      for (const c of p.point.causes) {
        const key = named.includes(cause(c)) ? cause(c) : "all else";
        values[key] = (values[key] || 0) + c.seconds;
      }
      return { x: p.x, label: p.label, values };
    });
    const keys = stacked.some((r) => r.values["all else"]) ? named.concat("all else") : named;
    G.areas(where, "causes", { x: { ...x, text: (r) => `${nameOf(axis)} ${r.label}` }, y: { label: "mean over GPUs", format: G.seconds },
      keys: keys.map((key, i) => ({ key, name: key, colour: G.palette[i] })), rows: stacked });

    title("How full the links are");
    const links = [...new Set([].concat(...row.map((p) => p.point.links.map((l) => l.name))))].slice(0, 8);
    const peak = (p, name) => (p.links.find((l) => l.name === name) || { peak_utilization: 0 }).peak_utilization;
    if (links.length) {
      G.lines(where, "link utilization", { x, y: { label: "highest load in a thousandth of the step", format: d3.format(".0%"), zero: true }, marks,
        series: links.map((name, i) => series(name, G.palette[i % G.palette.length], (p) => peak(p, name), G.percent)) });
      G.legend(where, links.map((name, i) => [G.palette[i % G.palette.length], name]));
    }

    title("MFU");
    G.lines(where, "mfu", { x, y: { label: "model FLOPs utilisation", format: d3.format(".0%"), zero: true }, marks, series: [series("MFU", G.palette[2], (p) => p.mfu_full, G.percent)] });
  };

  const lines = () => {
    const section = G.section("Along an axis", "lines");
    const length = (axis) => (numeric(axis) ? axis.values.length : 0);
    let a = axes.reduce((best, axis, k) => (length(axis) > length(axes[best]) ? k : best), 0);
    const held = axes.map(() => 0), controls = section.append("p").attr("class", "screen"), where = section.append("div");
    const again = () => {
      controls.selectAll("*").remove();
      if (axes.length > 1) {
        const choice = (name, options, value, set) => {
          const select = controls.append("label").text(name + " ").append("select");
          select.selectAll("option").data(options).join("option").attr("value", (d, i) => i).property("selected", (d, i) => i === value).text((d) => d);
          select.on("change", function () { set(+this.value); again(); });
        };
        choice("along", axes.map(nameOf), a, (i) => { a = i; });
        axes.forEach((axis, k) => { if (k !== a) choice(nameOf(axis), axis.values.map((_, i) => textOf(axis, i)), held[k], (i) => { held[k] = i; }); });
      }
      section.selectAll("p.held").remove();
      if (axes.length > 1) section.insert("p", "div").attr("class", "soft held").text("At " + axes.map((axis, k) => (k === a ? "" : `${nameOf(axis)} = ${textOf(axis, held[k])}`)).filter((t) => t).join(", "));
      draw(where, a, held);
    };
    again();
  };

  // ---- heat map of the first two axes -----------------------------------------------------------------------------------------

  const heat = () => {
    const section = G.section("Step time over both axes", "heat"), [rows, columns] = axes;
    if (axes.length > 2) section.append("p").attr("class", "soft").text("At " + axes.slice(2).map((axis) => `${nameOf(axis)} = ${textOf(axis, 0)}`).join(", "));
    const cells = [];
    rows.values.forEach((_, i) => columns.values.forEach((__, j) => {
      const point = byIndex.get(i * strides[0] + j * strides[1]);
      if (point) cells.push({ i, j, point });
    }));
    const ok = cells.filter((c) => !c.point.error), colour = d3.scaleSequential(d3.interpolateCividis).domain(d3.extent(ok, (c) => c.point.step_s).reverse());
    G.chart(section, "step time heat map", (svg, width) => {
      const m = { left: 120, top: 8, bottom: 52 }, w = (width - m.left - 8) / columns.values.length, h = Math.max(22, Math.min(40, 320 / rows.values.length));
      const every = Math.ceil(columns.values.length / Math.max(1, Math.floor((width - m.left) / 70)));
      rows.values.forEach((_, i) => svg.append("text").attr("x", m.left - 6).attr("y", m.top + (i + 0.5) * h + 4).attr("text-anchor", "end").text(textOf(rows, i).slice(0, 18)));
      columns.values.forEach((_, j) => { if (j % every === 0) svg.append("text").attr("x", m.left + (j + 0.5) * w).attr("y", m.top + rows.values.length * h + 16).attr("text-anchor", "middle").text(textOf(columns, j).slice(0, 12)); });
      G.hover(svg.append("g").selectAll("rect").data(cells).join("rect").attr("x", (c) => m.left + c.j * w).attr("y", (c) => m.top + c.i * h).attr("width", w - 1).attr("height", h - 1)
        .attr("fill", (c) => (c.point.error ? "none" : colour(c.point.step_s))).style("stroke", (c) => (c.point.error ? "var(--mark)" : null)),
        (c) => `${nameOf(rows)} ${textOf(rows, c.i)}\n${nameOf(columns)} ${textOf(columns, c.j)}\n` + (c.point.error || `${G.seconds(c.point.step_s)}, MFU ${G.percent(c.point.mfu_full)}\n${c.point.bottleneck}`));
      svg.selectAll("g rect").classed("cell", true);
      if (w >= 52) svg.append("g").attr("pointer-events", "none").selectAll("text").data(ok).join("text").attr("x", (c) => m.left + (c.j + 0.5) * w).attr("y", (c) => m.top + (c.i + 0.5) * h + 4)
        .attr("text-anchor", "middle").style("fill", (c) => (d3.lab(colour(c.point.step_s)).l > 55 ? "#000" : "#fff")).text((c) => G.seconds(c.point.step_s));
      svg.append("text").attr("x", width / 2).attr("y", m.top + rows.values.length * h + 38).attr("text-anchor", "middle").text(`${nameOf(columns)}, against ${nameOf(rows)}; bright is fast`);
      return m.top + rows.values.length * h + m.bottom;
    });
  };

  const table = () => {
    const section = G.section("All points", "points"), most = 500, grid = points.filter((p) => p.index >= 0), shown = grid.slice(0, most);
    if (shown.length < grid.length) section.append("p").attr("class", "soft").text(`The first ${most} of ${grid.length}; --csv and --json have them all.`);
    const names = [].concat(...axes.map((axis) => axis.paths));
    G.table(section, [...names.map((name, i) => [name, (p) => p.values[i], true]), ["step time", (p) => (p.error ? p.error : G.seconds(p.step_s)), true],
      ["MFU", (p) => (p.error ? "" : G.percent(p.mfu_full)), true], ["bound by", (p) => (p.error ? "" : p.bottleneck)]], shown);
  };

  lines();
  if (axes.length > 1) heat();
  table();
  G.root.append("footer").attr("class", "soft").text("Charts drawn with d3.");
  G.root.attr("data-ready", "sweep");
})();
