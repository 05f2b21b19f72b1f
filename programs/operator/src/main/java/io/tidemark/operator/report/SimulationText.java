package io.tidemark.operator.report;

import io.tidemark.program.console.TextTable;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.Violation;
import io.tidemark.simulation.scenario.Scenario;
import java.util.Locale;

/** A simulation's report for people. Pure. */
public final class SimulationText {
  private SimulationText() {}

  /** All figures, then what should not have happened. */
  public static String print(Scenario scenario, SimulationReport report) {
    SimulationReport.TimeToWatermark times = report.timeToWatermark();
    TextTable table =
        new TextTable("FIGURE", "VALUE")
            .row("scenario", title(scenario))
            .row("nodes, removed ones included", report.nodes())
            .row("virtual time", seconds(report.virtualSeconds()))
            .row("wall time", seconds(report.wallSeconds()))
            .row("to the watermark, first node", seconds(times.first()))
            .row("half of the nodes", seconds(times.p50()))
            .row("90 % of the nodes", seconds(times.p90()))
            .row("99 % of the nodes", seconds(times.p99()))
            .row("last node", seconds(times.last()))
            .row("addresses at the end", report.addresses())
            .row("interfaces at the end", report.interfaces());
    report.calls().forEach((operation, count) -> table.row(operation, count + " calls"));
    table.row("throttled", report.throttled() + " calls");
    table.row("violations", report.violations().size());
    StringBuilder text = new StringBuilder(table.text());
    for (Violation each : report.violations()) {
      text.append("violation: ").append(each).append('\n');
    }
    return text.toString();
  }

  /** The name of a run, in its report and on the page. */
  public static String title(Scenario scenario) {
    return scenario.name() + ", seed " + scenario.seed();
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
