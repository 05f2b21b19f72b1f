package io.tidemark.testing;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** A printed table of figures; each row when it is known, with the load of the machine then. */
public final class FigureTable {
  private static final String FORMAT = "%-72s  %-50s  %-22s  %s%n";

  private final PrintStream out;

  /** Prints its head. */
  public FigureTable(PrintStream out) {
    this.out = out;
    out.printf(
        Locale.ROOT,
        "%d processors, Java %s%n%n" + FORMAT,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        "figure",
        "measured",
        "aim",
        "load");
  }

  /** Prints a row. */
  public void row(String figure, String measured, String aim) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    out.printf(Locale.ROOT, FORMAT, figure, measured, aim, "%.1f".formatted(load));
  }
}
