package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.tidemark.provider.azure.network.CorruptingTransport;
import io.tidemark.provider.azure.network.CorruptingTransport.Corruption;
import io.tidemark.provider.azure.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("Answers of Azure that are spoilt on their way")
class CorruptedAnswersTest {
  private static final int SEEDS_MOST = 40;
  private static final int NODES = 8;

  /** Tokens of the emulator, bearer headers, and signatures of operations' addresses. */
  private static final Pattern SECRET =
      Pattern.compile("arm-[0-9a-f]{20,}|Bearer |[?&]s=|s=secret");

  /** More addresses than needed are no harm; what is taken for gone may be asked for once more. */
  private static final Set<String> HARMLESS = Set.of("I8");

  private final Lines lines = new Lines();

  /** Those that speak of Azure, with the level that the build gives each. */
  private final Map<Logger, Optional<Level>> loggers = new LinkedHashMap<>();

  /** Looks at every line, of every level. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final List<String> secrets = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private int seen;

    @Override
    protected void append(ILoggingEvent event) {
      seen++;
      String text =
          event.getFormattedMessage()
              + event.getKeyValuePairs()
              + (event.getThrowableProxy() == null
                  ? ""
                  : ThrowableProxyUtil.asString(event.getThrowableProxy()));
      if (SECRET.matcher(text).find()) {
        secrets.add(text);
      }
      if (event.getLevel() == Level.ERROR || event.getThrowableProxy() != null) {
        errors.add(text);
      }
    }
  }

  @BeforeEach
  void listen() {
    lines.start();
    for (String name : List.of("io.tidemark", "io.tidemark.node", "com.azure", "reactor")) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      loggers.put(logger, Optional.ofNullable(logger.getLevel()));
      logger.setLevel(Level.TRACE);
      logger.setAdditive(false);
      logger.addAppender(lines);
    }
  }

  @AfterEach
  void listenNoMore() {
    loggers.forEach(
        (logger, level) -> {
          logger.detachAppender(lines);
          logger.setAdditive(true);
          logger.setLevel(level.orElse(null));
        });
  }

  @Test
  @DisplayName("break nothing, and neither tokens nor signatures are logged; the pools come right")
  void some() {
    spoilt(150);
  }

  @Test
  @Tag("long")
  @DisplayName("break nothing, however many they are")
  void thousand() {
    spoilt(1_000);
  }

  private void spoilt(int corruptions) {
    Map<Corruption, Integer> counts = CorruptingTransport.newCounts();
    List<String> broken = new ArrayList<>();
    long seed = 0;
    while (total(counts) < corruptions && seed < SEEDS_MOST) {
      broken.addAll(broken(seed++, counts));
    }
    System.out.println("Azure: " + total(counts) + " answers spoilt in " + seed + " runs");
    assertThat(total(counts)).isGreaterThanOrEqualTo(corruptions);
    assertThat(counts).hasSize(Corruption.values().length);
    assertThat(broken).isEmpty();
    assertThat(lines.seen).as("lines that were looked at").isGreaterThan(corruptions);
    assertThat(lines.errors).isEmpty();
    assertThat(lines.secrets).isEmpty();
  }

  private static int total(Map<Corruption, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** A random cluster in which one answer in six is spoilt until the scenario ends. */
  private static List<String> broken(long seed, Map<Corruption, Integer> counts) {
    Scenario scenario = ScenarioGenerator.scenario(seed, NODES);
    SplittableRandom random = new SplittableRandom(seed);
    CloudSetup setup =
        CloudSetup.PLAIN
            .with(Trait.MIXED, true)
            .by(
                (handler, token, time) ->
                    CorruptingTransport.api(
                        handler,
                        token,
                        time,
                        random.nextLong(),
                        () ->
                            time.nanos() < scenario.duration().toNanos() && random.nextInt(6) == 0,
                        counts));
    SimulationReport report =
        new ClusterSimulation(scenario).on(AzureClouds.of(setup)).run(new VirtualTime(0));
    List<String> broken = new ArrayList<>();
    report.violations().stream()
        .filter(each -> !HARMLESS.contains(each.invariant()))
        .forEach(each -> broken.add("seed " + seed + ": " + each));
    return broken;
  }
}
