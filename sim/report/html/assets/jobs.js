// The page of `gridlock run A --with B --html`.
"use strict";
(() => {
  const r = G.data.result, titles = G.data.state_titles, jobs = r.jobs, count = d3.format(",");
  const change = (job) => d3.format("+.1f")(100 * job.slowdown) + " %";
  const colour = (i) => G.palette[i % G.palette.length];

  G.root.append("h1").text(jobs.map((job) => job.name).join(" beside "));
  G.root.append("p").attr("class", "soft").text(`${jobs.length} training jobs on one fabric, simulated at once by gridlock ${r.version}`);
  G.figures(jobs.map((job) => [`${job.name}: step ${G.seconds(job.alone_s)} alone, ${G.seconds(job.together_s)} together`, change(job)]));

  const steps = () => {
    const section = G.section("A step of each job, alone and beside the others", "steps");
    section.append("p").attr("class", "soft").text("Mean over the job's GPUs; bars have one scale.");
    const bars = [];
    for (const job of jobs) {
      bars.push({ name: job.name, when: "alone", total: job.alone_s, seconds: job.breakdown_alone });
      const together = {};
      for (const [state, share] of Object.entries(job.shares_together)) together[state] = share * job.together_s;
      bars.push({ name: job.name, when: "together", total: job.together_s, seconds: together });
    }
    const used = Object.keys(titles).filter((state) => bars.some((bar) => bar.seconds[state] > 0)), row = 44;
    G.chart(section, "steps alone and together", (svg, width) => {
      const x = d3.scaleLinear().domain([0, d3.max(bars, (bar) => bar.total)]).range([0, width - 70]);
      bars.forEach((bar, i) => {
        svg.append("text").attr("x", 0).attr("y", i * row + 13).text(`${bar.name}, ${bar.when}`);
        let at = 0;
        for (const state of used) {
          const seconds = bar.seconds[state] || 0;
          G.hover(svg.append("rect").datum({ state, seconds }).attr("x", x(at)).attr("y", i * row + 18).attr("width", x(seconds)).attr("height", 18).attr("fill", G.colours[state]),
            (d) => `${bar.name}, ${bar.when}\n${titles[d.state]}: ${G.seconds(d.seconds)}, ${G.percent(d.seconds / bar.total)}`);
          at += seconds;
        }
        svg.append("text").attr("x", x(at) + 6).attr("y", i * row + 31).text(G.seconds(bar.total));
      });
      svg.selectAll("rect").classed("part", true);
      return bars.length * row;
    });
    G.legend(section, used.map((state) => [G.colours[state], titles[state]]));
    G.table(section, [["job", (j) => j.name], ["GPUs", (j) => count(j.gpus), true], ["alone", (j) => G.seconds(j.alone_s), true], ["together", (j) => G.seconds(j.together_s), true],
      ["change", change, true], ["steps", (j) => j.steps, true]], jobs);
  };

  const links = () => {
    const section = G.section("Links they fight for", "links"), most = 40, shown = r.links.slice(0, most);
    if (!shown.length) return section.append("p").text("No link carries bytes of more than one of them.");
    section.append("p").attr("class", "soft").text(`Mean load in the ${G.seconds(r.window_s)} of the longest job's step.` + (shown.length < r.links.length ? ` The ${most} fullest of ${r.links.length} classes; --json has them all.` : ""));
    const row = 34;
    G.chart(section, "load of contested links by job", (svg, width) => {
      const x = d3.scaleLinear().domain([0, 1]).range([0, width - 70]);
      shown.slice(0, 12).forEach((link, i) => {
        svg.append("text").attr("x", 0).attr("y", i * row + 12).style("font-size", "11px").text(`${link.name} (${count(link.members)} of ${G.rate(link.capacity_bytes_per_s)})`);
        svg.append("rect").attr("x", 0).attr("y", i * row + 16).attr("width", x(1)).attr("height", 12).style("fill", "var(--panel)").style("stroke", "var(--line)");
        let at = 0;
        link.utilization.forEach((load, j) => {
          G.hover(svg.append("rect").datum(load).attr("x", x(at)).attr("y", i * row + 16).attr("width", x(load)).attr("height", 12).attr("fill", colour(j)), (d) => `${link.name}\n${jobs[j].name}: ${G.percent(d)}`);
          at += load;
        });
        svg.append("text").attr("x", x(1) + 6).attr("y", i * row + 26).text(G.percent(at));
      });
      return Math.min(12, shown.length) * row;
    });
    G.legend(section, jobs.map((job, j) => [colour(j), job.name]));
    G.table(section, [["links", (l) => l.name], ["how many", (l) => count(l.members), true], ["each", (l) => G.rate(l.capacity_bytes_per_s), true],
      ...jobs.map((job, j) => [job.name, (l) => G.percent(l.utilization[j]), true]), ["sum", (l) => G.percent(d3.sum(l.utilization)), true]], shown);
  };

  steps();
  links();
  G.root.append("footer").attr("class", "soft").text("Charts drawn with d3.");
  G.root.attr("data-ready", "jobs");
})();
