package io.tidemark.demand;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.Option;
import io.tidemark.config.Options;
import java.util.List;
import java.util.Optional;

/** The settings of mode {@code demand}; each program that reads them lists them with its own. */
public final class DemandKey {
  private static final Options ALL = new Options();

  public static final Option<Mode> MODE =
      ALL.choice(
          "pre-allocate-mode",
          Mode.STATIC,
          "static: the spare addresses of pre-allocate, in ipamd of the targets; demand: those that"
              + " recent pods needed");
  private static final Option<Double> QUANTILE =
      ALL.decimal(
          "demand-quantile",
          DemandSettings.DEFAULT.quantile(),
          0.5,
          0.999,
          "with demand, the share of pods that find an address, {}");
  private static final Option<Integer> SPARE_MIN =
      ALL.integer(
          "demand-spare-min",
          DemandSettings.DEFAULT.spareMin(),
          1,
          64,
          "with demand, the fewest spare addresses, {}");
  private static final Option<Integer> SPARE_MAX =
      ALL.integer(
          "demand-spare-max",
          DemandSettings.DEFAULT.spareMax(),
          1,
          64,
          "with demand, the most spare addresses, {}");

  /** How the spare addresses of a node are chosen. */
  public enum Mode {
    STATIC,
    DEMAND
  }

  private DemandKey() {}

  /** All of them, in the order of the document. */
  public static List<Option<?>> all() {
    return ALL.all();
  }

  /** Reads all of them and adds problems to those of {@code reader}; empty in mode static. */
  public static Optional<DemandSettings> read(ConfigReader reader) {
    double quantile = QUANTILE.read(reader);
    int least = SPARE_MIN.read(reader);
    int most = SPARE_MAX.read(reader);
    if (most < least) {
      reader
          .problems()
          .contradiction(
              reader.source(),
              SPARE_MAX.key(),
              SPARE_MIN.key(),
              "the most spare addresses are " + most + ", the fewest " + least);
      most = least;
    }
    return MODE.read(reader) == Mode.DEMAND
        ? Optional.of(new DemandSettings(quantile, least, most))
        : Optional.empty();
  }
}
