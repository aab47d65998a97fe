// Formats, colours, tooltips and the charts that reports share. Everything hangs on `G`; d3 draws.
"use strict";
const G = {};

G.data = JSON.parse(document.getElementById("data").textContent);

// ---- numbers as people read them ------------------------------------------------------------------------------------------

G.three = (x) => (x === 0 ? "0" : Math.abs(x) >= 100 ? d3.format(",.0f")(x) : d3.format(".3~g")(x));
G.seconds = (s) => (Math.abs(s) >= 1 || s === 0 ? G.three(s) + " s" : Math.abs(s) >= 1e-3 ? G.three(s * 1e3) + " ms" : G.three(s * 1e6) + " µs");
G.percent = (x) => d3.format(".1f")(100 * x) + " %";
G.rate = (b) => G.three(b / 1e9) + " GB/s";

// ---- colours: Okabe and Ito's, told apart by colour-blind readers, light and dark ---------------------------------------------

G.colours = {
  compute_s: "#0072B2", memory_bound_s: "#56B4E9", host_s: "#8C8C8C", exposed_tensor_s: "#E69F00", exposed_pipeline_s: "#F0E442",
  exposed_data_s: "#D55E00", exposed_context_s: "#A6761D", exposed_expert_s: "#7F3C8D", straggler_s: "#CC79A7", bubble_s: "#BDBDBD",
  other_s: "#4D4D4D", latency_s: "#009E73",
};
G.palette = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F3C8D", "#8C8C8C", "#A6761D", "#F0E442"];
G.load = (share) => d3.interpolateCividis(Math.max(0, Math.min(1, share)));

// ---- page -------------------------------------------------------------------------------------------------------------------

G.root = d3.select("#report");
G.section = (title, id) => {
  const section = G.root.append("section").attr("id", id);
  section.append("h2").text(title);
  return section;
};

G.figures = (pairs) => {
  const list = G.root.append("ul").attr("class", "figures");
  for (const [name, value] of pairs) {
    const item = list.append("li");
    item.append("b").text(value);
    item.append("span").attr("class", "soft").text(name);
  }
};

G.legend = (parent, items) => {
  const list = parent.append("ul").attr("class", "legend");
  for (const [colour, name] of items) {
    const item = list.append("li");
    item.append("i").style("background", colour);
    item.append("span").text(name);
  }
};

// columns: [title, text of a row, is it a number]
G.table = (parent, columns, rows) => {
  const table = parent.append("div").attr("class", "wide").append("table");
  table.append("thead").append("tr").selectAll("th").data(columns).join("th").attr("class", (c) => (c[2] ? "n" : null)).text((c) => c[0]);
  const lines = table.append("tbody").selectAll("tr").data(rows).join("tr");
  lines.selectAll("td").data((row) => columns.map((c) => [c[1](row), c[2]])).join("td").attr("class", (d) => (d[1] ? "n" : null)).text((d) => d[0]);
  return table;
};

// Paper has nothing to click on.
addEventListener("beforeprint", () => d3.selectAll("details").attr("open", true));

// ---- tooltips: by mouse, touch and keyboard -----------------------------------------------------------------------------------

G.tip = d3.select("body").append("div").attr("class", "tip").attr("role", "status").style("display", "none");
G.say = (text, x, y) => {
  G.tip.text(text).style("display", "block");
  const box = G.tip.node().getBoundingClientRect();
  G.tip.style("left", Math.max(4, Math.min(x + 12, innerWidth - box.width - 4)) + "px")
    .style("top", Math.max(4, y + 14 + box.height > innerHeight ? y - box.height - 10 : y + 14) + "px");
};
G.hush = () => G.tip.style("display", "none");
G.hover = (selection, text) => {
  const at = () => (d3.event.touches && d3.event.touches.length ? d3.event.touches[0] : d3.event);
  selection.attr("class", "focus").attr("tabindex", 0).attr("aria-label", text)
    .on("mousemove touchstart", function (d) { G.say(text(d), at().clientX, at().clientY); })
    .on("mouseleave touchend blur", G.hush)
    .on("focus", function (d) { const b = this.getBoundingClientRect(); G.say(text(d), b.right, b.top); });
};

// ---- charts -------------------------------------------------------------------------------------------------------------------

// Draws now, and again when the width changes. `draw(svg, width)` returns the height.
G.chart = (parent, label, draw) => {
  const svg = parent.append("figure").append("svg").attr("role", "img").attr("aria-label", label);
  let width = 0;
  const redraw = () => {
    const now = Math.max(300, Math.floor(svg.node().parentNode.clientWidth || 900));
    if (now === width) return;
    width = now;
    svg.selectAll("*").remove();
    svg.attr("viewBox", `0 0 ${width} ${draw(svg, width)}`);
  };
  redraw();
  addEventListener("resize", redraw);
  return svg;
};

// One bar in parts: [{name, value, colour}].
G.stackedBar = (parent, label, parts, text) => {
  const total = d3.sum(parts, (p) => p.value);
  G.chart(parent, label, (svg, width) => {
    let x = 0;
    for (const part of parts) {
      const w = (width * part.value) / total;
      G.hover(svg.append("rect").datum(part).attr("x", x).attr("width", Math.max(0, w)).attr("height", 36).attr("fill", part.colour), text);
      x += w;
    }
    return 36;
  });
};

// The axis below a chart, with as many labels as fit: of a logarithmic scale 1, 2 and 5 times powers of ten where that is enough.
G.below = (scale, log, format) => {
  const [left, right] = scale.range(), most = Math.max(2, Math.floor((right - left) / 60));
  let ticks = scale.ticks(most);
  if (log) {
    const leading = (x) => Math.round(x / 10 ** Math.floor(Math.log10(x) + 1e-9));
    const round = ticks.filter((x) => [1, 2, 5].includes(leading(x)));
    if (round.length >= 3) ticks = round;
    let last = -Infinity;
    ticks = ticks.filter((x) => scale(x) - last >= 44 && (last = scale(x)) >= left);
  }
  return d3.axisBottom(scale).tickValues(ticks).tickFormat(format);
};

// A zoomable x axis: wheel and drag, double click to go back. `draw(x)` places everything for the scale x.
G.zoomX = (svg, x, left, right, height, draw) => {
  const zoom = d3.zoom().scaleExtent([1, 200]).translateExtent([[left, 0], [right, height]]).extent([[left, 0], [right, height]])
    .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey || d3.event.shiftKey || svg.node().contains(document.activeElement)))
    .on("zoom", () => draw(d3.event.transform.rescaleX(x)));
  svg.attr("tabindex", 0).call(zoom).on("dblclick.zoom", () => svg.transition().duration(200).call(zoom.transform, d3.zoomIdentity));
};

G.clip = (svg, id, x, y, width, height) => {
  svg.append("clipPath").attr("id", id).append("rect").attr("x", x).attr("y", y).attr("width", width).attr("height", height);
  return `url(#${id})`;
};

// Lines over a numeric axis. o: {x: {label, log, format}, y: {label, format, zero}, series: [{name, colour, points: [[x, y, text]]}],
// marks: [{x, text}]}.
G.lines = (parent, label, o) => {
  const all = [].concat(...o.series.map((s) => s.points));
  G.chart(parent, label, (svg, width) => {
    const m = { top: 28 + 16 * o.marks.length, right: 14, bottom: 42, left: 62 }, height = 260 + m.top;
    const x = (o.x.log ? d3.scaleLog() : d3.scaleLinear()).domain(d3.extent(all, (p) => p[0])).range([m.left, width - m.right]);
    const low = o.y.zero ? 0 : 0.95 * d3.min(all, (p) => p[1]);
    const y = d3.scaleLinear().domain([low, 1.05 * d3.max(all, (p) => p[1]) || 1]).nice().range([height - m.bottom, m.top]);
    svg.append("g").attr("transform", `translate(${m.left},0)`).call(d3.axisLeft(y).ticks(6).tickFormat(o.y.format));
    svg.append("g").selectAll("line").data(y.ticks(6)).join("line").attr("class", "grid").attr("x1", m.left).attr("x2", width - m.right).attr("y1", y).attr("y2", y);
    const bottom = svg.append("g").attr("transform", `translate(0,${height - m.bottom})`);
    svg.append("text").attr("x", width / 2).attr("y", height - 6).attr("text-anchor", "middle").text(o.x.label);
    svg.append("text").attr("x", 4).attr("y", m.top - 14).text(o.y.label);
    const plot = svg.append("g").attr("clip-path", G.clip(svg, "clip-" + label.replace(/\W/g, "-"), m.left - 6, m.top - 6, width - m.left - m.right + 12, height - m.top - m.bottom + 12));
    const place = (scale) => {
      bottom.call(G.below(scale, o.x.log, o.x.format));
      plot.selectAll("*").remove();
      for (const s of o.series) {
        const line = d3.line().x((p) => scale(p[0])).y((p) => y(p[1]));
        plot.append("path").attr("d", line(s.points)).attr("fill", "none").attr("stroke", s.colour).attr("stroke-width", 2);
        G.hover(plot.append("g").selectAll("circle").data(s.points).join("circle").attr("cx", (p) => scale(p[0])).attr("cy", (p) => y(p[1])).attr("r", 4).attr("fill", s.colour), (p) => p[2]);
        plot.selectAll("circle").classed("point", true);
      }
      svg.selectAll("line.mark, text.mark").remove();
      o.marks.forEach((mark, i) => {
        const at = scale(mark.x);
        if (at < m.left || at > width - m.right) return;
        svg.append("line").attr("class", "mark").attr("x1", at).attr("x2", at).attr("y1", m.top - 12).attr("y2", height - m.bottom);
        const right = at > width / 2;
        svg.append("text").attr("class", "mark").attr("x", at + (right ? -5 : 5)).attr("y", 12 + 16 * i).attr("text-anchor", right ? "end" : "start").text(mark.text);
      });
    };
    place(x);
    G.zoomX(svg, x, m.left, width - m.right, height, place);
    return height;
  });
};

// Stacked areas over x. o: {x, y: {label, format}, keys: [{key, name, colour}], rows: [{x, values: {key: y}}]}.
G.areas = (parent, label, o) => {
  const stack = d3.stack().keys(o.keys.map((k) => k.key)).value((row, key) => row.values[key] || 0)(o.rows);
  G.chart(parent, label, (svg, width) => {
    const m = { top: 26, right: 14, bottom: 42, left: 62 }, height = 280;
    const x = (o.x.log ? d3.scaleLog() : d3.scaleLinear()).domain(d3.extent(o.rows, (r) => r.x)).range([m.left, width - m.right]);
    const y = d3.scaleLinear().domain([0, d3.max(o.rows, (r) => d3.sum(Object.values(r.values))) || 1]).nice().range([height - m.bottom, m.top]);
    svg.append("g").attr("transform", `translate(${m.left},0)`).call(d3.axisLeft(y).ticks(6).tickFormat(o.y.format));
    svg.append("g").attr("transform", `translate(0,${height - m.bottom})`).call(G.below(x, o.x.log, o.x.format));
    svg.append("text").attr("x", width / 2).attr("y", height - 6).attr("text-anchor", "middle").text(o.x.label);
    svg.append("text").attr("x", 4).attr("y", 12).text(o.y.label);
    const area = d3.area().x((d) => x(d.data.x)).y0((d) => y(d[0])).y1((d) => y(d[1]));
    stack.forEach((layer, i) => svg.append("path").attr("d", area(layer)).attr("fill", o.keys[i].colour));
    const columns = svg.append("g").selectAll("rect").data(o.rows).join("rect").attr("y", m.top).attr("height", height - m.top - m.bottom).attr("fill", "transparent");
    const middle = (i) => (i < 0 ? m.left : i >= o.rows.length - 1 ? width - m.right : (x(o.rows[i].x) + x(o.rows[i + 1].x)) / 2);
    columns.attr("x", (d, i) => middle(i - 1)).attr("width", (d, i) => Math.max(0, middle(i) - middle(i - 1)));
    G.hover(columns, (row) => o.x.text(row) + "\n" + o.keys.filter((k) => row.values[k.key] > 0).map((k) => `${k.name}: ${o.y.format(row.values[k.key])}`).join("\n"));
    return height;
  });
  G.legend(parent, o.keys.map((k) => [k.colour, k.name]));
};
