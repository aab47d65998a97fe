// The page of `gridlock run --html`.
"use strict";
(() => {
  const r = G.data.result, titles = G.data.state_titles, step = r.step.time_s;
  const states = Object.keys(titles);

  const top = () => {
    G.root.append("h1").text(r.scenario.name);
    G.root.append("p").attr("class", "soft").text(
      `One training step on ${d3.format(",")(r.cluster.gpus)} GPUs in ${d3.format(",")(r.cluster.nodes)} nodes, simulated by gridlock ${r.version}`);
    G.figures([
      ["step time", G.seconds(step)], ["tokens/s per GPU", G.three(r.step.tokens_per_s_per_gpu)], ["MFU", G.percent(r.step.mfu_full)],
      ["memory of the fullest GPU", `${G.three(r.memory.peak_bytes / 1e9)} of ${G.three(r.memory.capacity_bytes / 1e9)} GB`],
      ...(r.measured ? [["measured", `${G.seconds(r.measured.time_s)} (${d3.format("+.1f")(100 * r.measured.error)} %)`]] : []),
    ]);
    for (const warning of r.warnings) G.root.append("p").attr("class", "soft").text("Warning: " + warning);
  };

  const why = () => {
    const section = G.section("Why it takes that long", "why");
    const list = section.append("ol").attr("class", "story");
    for (const f of r.why.findings) {
      const item = list.append("li").text(f.text + ".");
      if (f.remedies.length) item.append("ul").selectAll("li").data(f.remedies).join("li").text((m) => m.text + ".");
    }
    if (!r.why.findings.length) section.append("p").text("Nothing waits for more than 0.1 % of the GPU time.");
    if (!r.why.findings.some((f) => f.remedies.length)) section.append("p").attr("class", "soft").text("With --why, gridlock run also simulates what would end these waits.");
  };

  const parts = (pairs) => pairs.filter((p) => p[1] > 0).map(([name, value]) => ({ name, value, colour: G.colours[name] }));
  const partText = (p) => `${titles[p.name]}: ${G.seconds(p.value)}, ${G.percent(p.value / step)}`;

  const breakdown = () => {
    const section = G.section("Where the time goes", "breakdown");
    section.append("p").attr("class", "soft").text("Mean over GPUs; each GPU is at each instant in one state.");
    const all = parts(Object.entries(r.breakdown));
    G.stackedBar(section, "breakdown of the step", all, partText);
    G.legend(section, all.map((p) => [p.colour, `${titles[p.name]} ${G.percent(p.value / step)}`]));
    const path = G.section("Critical path", "path");
    path.append("p").attr("class", "soft").text("The chain of operations that decides when the step ends.");
    const chain = parts(r.critical_path.map((c) => [c.category, c.seconds]));
    G.stackedBar(path, "critical path of the step", chain, partText);
    G.legend(path, chain.map((p) => [p.colour, `${titles[p.name]} ${G.percent(p.value / step)}`]));
  };

  const timeline = () => {
    const section = G.section("Timeline", "timeline"), lanes = G.data.lanes, row = 34, left = 150;
    const hidden = r.rank_classes_count - lanes.length;
    section.append("p").attr("class", "soft").text(
      `What each class of GPUs does, in ${lanes.length ? Object.values(lanes[0].states)[0].length : 0} slices of ${G.seconds(G.data.slice_s)}: the height of a colour is its share of the slice. ` +
      "--trace has every operation." + (hidden > 0 ? ` ${hidden} classes with fewer GPUs are not drawn.` : ""));
    section.append("p").attr("class", "soft screen").text("Drag to move; Ctrl or Shift and wheel, or pinch, to zoom; double click for the whole step.");
    const used = states.filter((s) => lanes.some((l) => l.states[s]));
    G.chart(section, "timeline by class of ranks", (svg, width) => {
      const height = lanes.length * row + 34, slices = Object.values(lanes[0].states)[0].length;
      const x = d3.scaleLinear().domain([0, step]).range([left, width - 8]);
      const plot = svg.append("g").attr("clip-path", G.clip(svg, "clip-timeline", left, 0, width - left - 8, height));
      const axis = svg.append("g").attr("transform", `translate(0,${height - 28})`);
      svg.append("g").selectAll("text").data(lanes).join("text").attr("x", 0).attr("y", (l, i) => i * row + 15).text((l) => l.name.slice(0, 22));
      svg.append("g").selectAll("text").data(lanes).join("text").attr("x", 0).attr("y", (l, i) => i * row + 27).style("font-size", "10px").text((l) => `${l.count} GPUs`);
      const stacked = lanes.map((lane) => {
        const base = new Array(slices).fill(0);
        return used.filter((s) => lane.states[s]).map((s) => ({ state: s, spans: lane.states[s].map((v, i) => [base[i], (base[i] += v)]) }));
      });
      const place = (scale) => {
        axis.call(d3.axisBottom(scale).ticks(Math.max(3, width / 120)).tickFormat(G.seconds));
        plot.selectAll("path").remove();
        stacked.forEach((layers, i) => {
          const y = (v) => i * row + (row - 4) * (1 - v / 1000);
          const area = d3.area().curve(d3.curveStepAfter).x((d, k) => scale(k * G.data.slice_s)).y0((d) => y(d[0])).y1((d) => y(d[1]));
          for (const layer of layers) {
            const spans = layer.spans.concat([layer.spans[layer.spans.length - 1]]);
            plot.append("path").attr("class", "lane").attr("d", area(spans)).attr("fill", G.colours[layer.state]);
          }
        });
        svg.on("mousemove touchstart", () => {
          const [px, py] = d3.mouse(svg.node()), lane = lanes[Math.floor(py / row)], i = Math.floor(scale.invert(px) / G.data.slice_s);
          if (!lane || px < left || i < 0 || i >= slices) return G.hush();
          const here = used.filter((s) => lane.states[s] && lane.states[s][i] > 0).sort((a, b) => lane.states[b][i] - lane.states[a][i]);
          const event = d3.event.touches && d3.event.touches.length ? d3.event.touches[0] : d3.event;
          G.say(`${lane.name}, at ${G.seconds(i * G.data.slice_s)}\n` + here.map((s) => `${titles[s]}: ${G.percent(lane.states[s][i] / 1000)}`).join("\n"), event.clientX, event.clientY);
        }).on("mouseleave", G.hush);
      };
      place(x);
      G.zoomX(svg, x, left, width - 8, height, place);
      return height;
    });
    G.legend(section, used.map((s) => [G.colours[s], titles[s]]));
  };

  // Kinds of device in the order in which bytes cross them; a cable joins two, and has the load of its fullest class.
  const fabric = () => {
    const section = G.section("The fabric and its loads", "fabric");
    const order = ["GPU", "NVSwitch", "PCIe switch", "CPU socket", "NIC", "leaf", "spine", "core", "switch"];
    const cables = G.data.cables.map(({ ends, link }) => ({ ends: ends.slice().sort((a, b) => order.indexOf(a) - order.indexOf(b)), link }));
    const kinds = order.filter((kind) => cables.some((c) => c.ends.includes(kind)));
    if (kinds.length) {
      section.append("p").attr("class", "soft").text("Cables between two kinds of device, coloured by the mean load of their fullest class.");
      G.chart(section, "fabric with link loads", (svg, width) => {
        const y = (kind) => 24 + (kinds.length - 1 - kinds.indexOf(kind)) * 46, x = (kind) => (kind === "NVSwitch" ? width * 0.2 : width * 0.5);
        for (const { ends: [a, b], link } of cables) {
          const bend = Math.abs(kinds.indexOf(a) - kinds.indexOf(b)) > 1 && x(a) === x(b) ? width * 0.12 : 0;
          const path = `M${x(a)},${y(a)} Q${(x(a) + x(b)) / 2 + 2 * bend},${(y(a) + y(b)) / 2} ${x(b)},${y(b)}`;
          G.hover(svg.append("path").datum(link).attr("d", path).attr("fill", "none").attr("stroke", G.load(link.mean_utilization)).attr("stroke-width", 4 + 10 * link.mean_utilization),
            (l) => `${l.name}\n${G.rate(l.capacity_bytes_per_s)}, mean load ${G.percent(l.mean_utilization)}, peak ${G.percent(l.peak_utilization)}`);
          svg.append("text").attr("x", (x(a) + x(b)) / 2 + bend + 14).attr("y", (y(a) + y(b)) / 2 + (x(a) === x(b) ? 4 : -8)).text(G.percent(link.mean_utilization));
        }
        for (const kind of kinds) {
          svg.append("rect").attr("x", x(kind) - 48).attr("y", y(kind) - 12).attr("width", 96).attr("height", 24).attr("rx", 4).style("fill", "var(--panel)").style("stroke", "var(--line)");
          svg.append("text").attr("x", x(kind)).attr("y", y(kind) + 4).attr("text-anchor", "middle").text(kind);
        }
        return 46 * kinds.length + 8;
      });
    }
    loads(section);
    links(section);
  };

  const loads = (section) => {
    const rows = G.data.loads.slice(0, 16), row = 20, left = 150;
    if (!rows.length) return;
    section.append("p").attr("class", "soft").text("Load of the fullest classes of links over the step, from empty (dark) to full (bright).");
    G.chart(section, "link loads over time", (svg, width) => {
      const w = (width - left - 8) / 250;
      rows.forEach(({ link, load }, i) => {
        svg.append("text").attr("x", 0).attr("y", i * row + 14).style("font-size", "10px").text(link.name.slice(0, 26));
        const cells = d3.range(0, load.length, 4).map((s) => d3.mean(load.slice(s, s + 4)) / 1000);
        cells.forEach((share, c) => {
          if (share > 0) svg.append("rect").attr("x", left + c * w).attr("y", i * row + 2).attr("width", w + 0.3).attr("height", row - 4).attr("fill", G.load(share));
        });
      });
      const x = d3.scaleLinear().domain([0, step]).range([left, width - 8]);
      svg.append("g").attr("transform", `translate(0,${rows.length * row + 2})`).call(d3.axisBottom(x).ticks(Math.max(3, width / 120)).tickFormat(G.seconds));
      return rows.length * row + 30;
    });
  };

  const links = (section) => {
    const shown = G.data.loads.map((l) => l.link);
    if (shown.length < r.links_count) section.append("p").attr("class", "soft").text(`The ${shown.length} fullest of ${r.links_count} classes of links; --json has them all.`);
    G.table(section, [["links", (l) => l.name], ["how many", (l) => d3.format(",")(l.members), true], ["each", (l) => G.rate(l.capacity_bytes_per_s), true],
      ["mean load", (l) => G.percent(l.mean_utilization), true], ["peak load", (l) => G.percent(l.peak_utilization), true]], shown);
  };

  const waits = () => {
    const section = G.section("Communication that makes GPUs wait", "communication");
    const calls = r.communicators;
    if (calls.length < r.communicators_count) section.append("p").attr("class", "soft").text(`The first ${calls.length} of ${r.communicators_count} operations by exposed time.`);
    G.table(section, [["operation", (c) => c.label], ["group", (c) => c.name], ["exposed", (c) => G.seconds(c.exposed_s), true], ["total", (c) => G.seconds(c.time_s), true],
      ["bus bandwidth", (c) => G.rate(c.bus_bandwidth_bytes_per_s), true], ["bound by", (c) => c.bound_by.name || c.bound_by.kind]], calls);
  };

  top();
  why();
  breakdown();
  timeline();
  fabric();
  waits();
  G.root.append("footer").attr("class", "soft").text(`${r.engine.mode}, fingerprint ${r.engine.fingerprint}, seed ${r.seed}. Charts drawn with d3.`);
  G.root.attr("data-ready", "run");
})();
