// The page of `gridlock calibrate --html`.
"use strict";
(() => {
  const D = G.data, benchmarks = D.benchmarks, titles = { gemm: "matrix products", memory: "memory", peer_copy: "copies between GPUs", host_copy: "copies to and from the host", collectives: "collectives", all_reduce: "all-reduces between processes" };
  const titleOf = (b) => titles[b.name] || b.name;
  const blue = G.palette[0], orange = G.palette[1], green = G.palette[2], grey = G.palette[7];
  const size = (b) => (b >= 1e9 ? G.three(b / 1e9) + " GB" : b >= 1e6 ? G.three(b / 1e6) + " MB" : b >= 1e3 ? G.three(b / 1e3) + " KB" : G.three(b) + " B");
  const flops = (f) => (f >= 1e12 ? G.three(f / 1e12) + " TFLOP/s" : G.three(f / 1e9) + " GFLOP/s");
  const signed = (x) => d3.format("+.1f")(100 * x) + " %";
  const errorOf = (p, by) => p[by] / p.measured - 1;
  const said = (p) => `${p.label}\nmeasured ${G.seconds(p.measured)}, repeats ${G.seconds(p.low)} to ${G.seconds(p.high)}\nfitted ${G.seconds(p.fitted)} (${signed(errorOf(p, "fitted"))}), left out ${signed(p.left_out)}` + (p.preset ? `\npreset ${G.seconds(p.preset)} (${signed(errorOf(p, "preset"))})` : "") + (p.outlier ? "\nan outlier: had no say" : "");

  // ---- a chart of points and curves over logarithmic axes -------------------------------------------------------------------
  // o: {x, y: {label, format, log}, series: [{name, colour, points: [[x, y, text, class]], line, dash, dots}], id, domainY}
  const plot = (where, label, o) => {
    const all = [].concat(...o.series.map((s) => s.points));
    if (!all.length) return;
    G.chart(where, label, (svg, width) => {
      const m = { top: 26, right: 16, bottom: 42, left: 78 }, height = 320;
      const scale = (axis, domain, range) => (axis.log ? d3.scaleLog() : d3.scaleLinear()).domain(domain).range(range);
      const wide = ([a, b]) => (a === b ? [a / 2, b * 2] : [a / 1.15, b * 1.15]);
      const x = scale(o.x, wide(d3.extent(all, (p) => p[0])), [m.left, width - m.right]);
      const y = scale(o.y, o.domainY || wide(d3.extent(all, (p) => p[1])), [height - m.bottom, m.top]);
      // Of a logarithmic axis the powers of ten; 1, 2 and 5 of each where there are few.
      const leading = (t) => Math.round(t / Math.pow(10, Math.floor(Math.log10(t) + 1e-9)));
      const few = (s, n) => {
        if (!s.base) return s.ticks(n);
        const all = s.ticks(), powers = all.filter((t) => leading(t) === 1), some = all.filter((v) => [1, 2, 5].includes(leading(v)));
        const t = powers.length > 2 ? powers : some.length > 1 ? some : all;
        return t.filter((_, i) => i % Math.ceil(t.length / n) === 0);
      };
      const tx = few(x, Math.max(3, Math.floor(width / 110))), ty = few(y, 6);
      svg.append("g").attr("transform", `translate(${m.left},0)`).call(d3.axisLeft(y).tickValues(ty).tickFormat(o.y.format));
      svg.append("g").attr("transform", `translate(0,${height - m.bottom})`).call(d3.axisBottom(x).tickValues(tx).tickFormat(o.x.format));
      svg.append("g").selectAll("line").data(ty).join("line").attr("class", "grid").attr("x1", m.left).attr("x2", width - m.right).attr("y1", y).attr("y2", y);
      svg.append("text").attr("x", width / 2).attr("y", height - 6).attr("text-anchor", "middle").text(o.x.label);
      svg.append("text").attr("x", 4).attr("y", 12).text(o.y.label);
      const inside = svg.append("g").attr("clip-path", G.clip(svg, "clip-" + o.id, m.left - 5, m.top - 6, width - m.left - m.right + 10, height - m.top - m.bottom + 12));
      if (o.zero) inside.append("line").attr("class", "mark").attr("x1", m.left).attr("x2", width - m.right).attr("y1", y(0)).attr("y2", y(0));
      for (const s of o.series) {
        if (s.line) inside.append("path").attr("class", "curve").attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(s.points)).attr("fill", "none").attr("stroke", s.colour).attr("stroke-width", 2).attr("stroke-dasharray", s.dash || null);
        if (s.dots === false) continue;
        const dots = inside.append("g").selectAll("circle").data(s.points).join("circle").attr("cx", (p) => x(p[0])).attr("cy", (p) => Math.min(Math.max(y(p[1]), m.top), height - m.bottom)).attr("r", 3.5)
          .attr("fill", (p) => (p[3] ? "none" : s.colour)).style("stroke", (p) => (p[3] ? "var(--mark)" : "none")).attr("fill-opacity", 0.75);
        G.hover(dots, (p) => p[2]);
        dots.classed("point", true);
      }
      return height;
    });
    G.legend(where, o.series.filter((s) => s.name && s.points.length).map((s) => [s.colour, s.name]));
  };

  // ---- head -------------------------------------------------------------------------------------------------------------------

  G.root.append("h1").text(`${D.profile}: calibration of ${D.provenance.device || D.device}`);
  G.root.append("p").attr("class", "soft").text(`gridlock ${D.version}; ${D.base ? "starts from the preset " + D.base : ""}; points in ${D.points_file}`);
  G.figures(D.accuracy.map((a) => [`${titles[a.benchmark] || a.benchmark}: median error` + (a.before ? `, was ${G.percent(a.before[0])} by the preset` : ""), G.percent(a.after[0])]));

  const terms = G.section("What was fitted", "terms");
  G.table(terms, [["term", (t) => t.name], ["value", (t) => (t.reason ? "not fitted" : t.text), true], ["standard error", (t) => (t.reason ? "" : G.percent(t.relative_error)), true], ["", (t) => t.reason || ""]], D.terms)
    .selectAll("tbody tr").classed("term", true).selectAll("td:last-child").style("white-space", "normal").style("min-width", "14rem");
  const kept = terms.append("ul").attr("class", "story soft");
  for (const sentence of D.kept.filter((k) => !k.includes(": not fitted, "))) kept.append("li").text(sentence);

  // ---- before and after ---------------------------------------------------------------------------------------------------------

  const before = G.section("Before and after", "before");
  const two = (pair) => (pair === null ? "-" : `${G.percent(pair[0])} / ${G.percent(pair[1])}`);
  G.table(before, [["benchmark", (a) => titles[a.benchmark] || a.benchmark], ["points", (a) => a.points, true], ["outliers", (a) => a.outliers, true], ["scatter of repeats", (a) => G.percent(a.scatter), true],
    ["before: preset", (a) => two(a.before), true], ["after: fit", (a) => two(a.after), true], ["left out", (a) => two(a.left_out), true]], D.accuracy);
  before.append("p").attr("class", "soft").text(`Median / 90th percentile of the error of ${D.statistic === "fastest" ? "the fastest repeat" : "the median repeat"}. Left out: by a fit to other points.`);
  for (const b of benchmarks) {
    before.append("h3").text(titleOf(b));
    const of = (by, name, colour) => ({ name, colour, points: b.points.filter((p) => p[by]).map((p) => [p.measured, p[by], said(p), by === "fitted" && p.outlier]) });
    const ends = d3.extent(b.points, (p) => p.measured);
    plot(before, `${b.name} predicted against measured`, { id: "scatter-" + b.name, x: { label: "measured", log: true, format: G.seconds }, y: { label: "predicted", log: true, format: G.seconds },
      series: [of("preset", "preset", grey), of("fitted", "fitted", blue), { colour: green, line: true, dots: false, points: ends.map((e) => [e, e]), name: "as measured" }] });
  }

  // ---- roofline -----------------------------------------------------------------------------------------------------------------

  const products = benchmarks.find((b) => b.name === "gemm");
  if (D.roofline && products) {
    const r = D.roofline, section = G.section("Roofline", "roofline");
    const range = d3.extent(products.points, (p) => p.flops / p.bytes), xs = d3.range(0, 61).map((i) => range[0] / 1.2 * Math.pow((range[1] * 1.44) / range[0], i / 60));
    const roof = (peak, memory) => xs.map((i) => [i, Math.min(peak, i * memory)]);
    const at = (by) => products.points.map((p) => [p.flops / p.bytes, p.flops / p[by], said(p), by === "measured" && p.outlier]);
    plot(section, "roofline", { id: "roofline", x: { label: "FLOPs per byte of operands and result", log: true, format: G.three }, y: { label: `${r.dtype}`, log: true, format: flops },
      series: [{ name: `peak ${flops(r.peak_flops)}, memory ${G.rate(r.bytes_per_s)}`, colour: grey, line: true, dash: "5 3", dots: false, points: roof(r.peak_flops, r.bytes_per_s) },
        { name: `sustained: ${G.percent(r.ceiling)} and ${G.percent(r.memory_efficiency)} of them`, colour: green, line: true, dots: false, points: roof(r.peak_flops * r.ceiling, r.bytes_per_s * r.memory_efficiency) },
        { name: "fitted", colour: orange, points: at("fitted") }, { name: "measured", colour: blue, points: at("measured") }] });
    section.append("p").attr("class", "soft").text("Points above the memory's slope: operands that a cache still holds.");
  }

  // ---- bandwidth over bytes: streams, copies, collectives -------------------------------------------------------------------------

  const curves = (where, id, points, factor, ylabel) => {
    const sorted = points.slice().sort((p, q) => p.bytes - q.bytes);
    const of = (by, name, colour, dash) => ({ name, colour, line: by !== "measured", dash, dots: by === "measured", points: sorted.filter((p) => p[by]).map((p) => [p.bytes, (factor * p.bytes) / p[by], said(p), by === "measured" && p.outlier]) });
    plot(where, id, { id, x: { label: "bytes", log: true, format: size }, y: { label: ylabel, log: true, format: G.rate }, series: [of("preset", "preset", grey, "5 3"), of("fitted", "fitted", orange), of("measured", "measured", blue)] });
  };
  const collective = (b) => b.name === "collectives" || b.name === "all_reduce";
  const busFactor = (p) => (p.kind === "all_reduce" ? (2 * (p.ranks - 1)) / p.ranks : ["all_gather", "reduce_scatter", "all_to_all"].includes(p.kind) ? (p.ranks - 1) / p.ranks : 1);
  for (const b of benchmarks.filter((other) => other.name !== "gemm" && other.points.every((p) => p.bytes))) {
    const section = G.section(b.name === "collectives" ? "Collectives" : "Bandwidth: " + titleOf(b), "curves-" + b.name);
    const key = (p) => (b.name === "collectives" ? `${p.kind}, ${p.ranks} ranks` + (p.nodes > 1 ? ` on ${p.nodes} nodes` : "") : titleOf(b));
    const groups = new Map();
    for (const p of b.points) groups.set(key(p), (groups.get(key(p)) || []).concat(p));
    for (const [name, points] of groups) {
      if (groups.size > 1 || b.name === "collectives") section.append("h3").text(name);
      curves(section, `${b.name} ${name}`.replace(/\W+/g, "-"), points, collective(b) ? busFactor(points[0]) : 1, collective(b) ? "bus bandwidth" : "bandwidth");
    }
  }

  // ---- residuals ------------------------------------------------------------------------------------------------------------------

  const residuals = G.section("Residuals", "residuals");
  residuals.append("p").attr("class", "soft").text("Error of the fit by measured time; ringed: outliers, which had no say. Points beyond the frame are drawn on it.");
  for (const b of benchmarks) {
    residuals.append("h3").text(titleOf(b));
    const spread = Math.max(0.05, ...b.points.filter((p) => !p.outlier).map((p) => Math.abs(errorOf(p, "fitted")))) * 1.15;
    plot(residuals, `${b.name} residuals`, { id: "residual-" + b.name, zero: true, domainY: [-spread, spread], x: { label: "measured", log: true, format: G.seconds }, y: { label: "error", format: d3.format("+.1~%") },
      series: [{ name: "left out", colour: grey, points: b.points.map((p) => [p.measured, p.left_out, said(p)]) }, { name: "fitted", colour: blue, points: b.points.map((p) => [p.measured, errorOf(p, "fitted"), said(p), p.outlier]) }] });
  }

  if (D.verified) {
    const v = D.verified, section = G.section("Unseen shapes, measured afterwards", "verified");
    section.append("p").text(`${v.shapes} shapes: median error ${G.percent(v.median)}, 90th percentile ${G.percent(v.p90)}: ${v.good ? "within" : "beyond"} the goal of 10 % and 25 %.`);
    G.table(section, [["shape", (p) => p.label], ["measured", (p) => G.seconds(p.measured_s), true], ["predicted", (p) => G.seconds(p.predicted_s), true], ["error", (p) => signed(p.predicted_s / p.measured_s - 1), true]], v.points);
  }

  if (D.others.length) {
    const section = G.section("Also measured", "others");
    section.append("p").attr("class", "soft").text("Recorded in the points; no term of the profile is fitted to them.");
    G.table(section, [["", (p) => p.label], ["median", (p) => (p.error ? p.error : G.seconds(p.measured)), true], ["repeats", (p) => (p.error ? "" : `${G.seconds(p.low)} to ${G.seconds(p.high)}`), true]], D.others);
  }

  const facts = G.section("Where it comes from", "provenance");
  G.table(facts, [["", (f) => f[0]], ["", (f) => f[1]]], Object.entries(D.provenance));
  G.root.append("footer").attr("class", "soft").text("Charts drawn with d3.");
  G.root.attr("data-ready", "calibrate");
})();
