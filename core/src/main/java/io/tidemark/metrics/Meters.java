package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * The meters of a program in a Micrometer registry, by the table {@link Metric}; each is made when
 * it is first used. Thread-safe; never blocks.
 *
 * <p>Durations are timers: a summary of seconds would round each up to a whole second before it
 * chooses the bucket. The registry appends the unit to the name of a timer, so it is left out here.
 */
public final class Meters {
  private static final String UNIT = "_seconds";

  private final MeterRegistry registry;
  private final boolean none;
  private final Map<Prefix, String> prefixes = new EnumMap<>(Prefix.class);
  private final Map<Metric, String> names = new ConcurrentHashMap<>();
  private final Map<Key, GaugeValue> gauges = new ConcurrentHashMap<>();
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
  private final Map<Key, Timer> histograms = new ConcurrentHashMap<>();
  private final Map<Key, DistributionSummary> sizes = new ConcurrentHashMap<>();
  private final Map<String, TriggerObserver> triggers = new ConcurrentHashMap<>();
  private final List<Runnable> beforeScrape = new CopyOnWriteArrayList<>();

  private record Key(Metric metric, List<String> values) {}

  /** Meters in {@code registry} under the names of docs/metrics.md. */
  public Meters(MeterRegistry registry) {
    this(registry, Prefix.IPAM.text(), Prefix.CLOUD.text());
  }

  /**
   * Meters in {@code registry} whose names begin with these prefixes, their last underscore too.
   *
   * @param ipam of those of the node manager, such as {@code cilium_operator_ipam_}
   * @param cloud of those of requests to the cloud, such as {@code cilium_operator_ec2_}
   */
  public Meters(MeterRegistry registry, String ipam, String cloud) {
    this(registry, false);
    prefixes.put(Prefix.IPAM, ipam);
    prefixes.put(Prefix.CLOUD, cloud);
  }

  private Meters(MeterRegistry registry, boolean none) {
    this.registry = registry;
    this.none = none;
    for (Prefix each : Prefix.values()) {
      prefixes.put(each, each.text());
    }
  }

  /** Meters that no registry has: what they count is lost. */
  public static Meters none() {
    MeterRegistry nowhere = new CompositeMeterRegistry();
    nowhere.config().meterFilter(MeterFilter.deny());
    return new Meters(nowhere, true);
  }

  /** Whether no registry has them, so that what is kept for them alone need not be. */
  public boolean isNone() {
    return none;
  }

  /**
   * The meters that all triggers of one kind share.
   *
   * @param owner whose prefix the names have
   * @param kind follows it, such as {@code k8s_sync}
   */
  public TriggerObserver trigger(Prefix owner, String kind) {
    return triggers.computeIfAbsent(
        prefixes.get(owner) + kind + "_",
        prefix -> {
          Meters own = new Meters(registry, none);
          own.prefixes.put(Prefix.TRIGGER, prefix);
          return own.ofTrigger();
        });
  }

  private TriggerObserver ofTrigger() {
    return new TriggerObserver() {
      @Override
      public void queued() {
        count(Metric.TRIGGER_QUEUED);
      }

      @Override
      public void ran(Duration duration, Duration latency, int folds) {
        record(Metric.TRIGGER_DURATION, duration);
        record(Metric.TRIGGER_LATENCY, latency);
        gauge(Metric.TRIGGER_FOLDS).set(folds);
      }
    };
  }

  /** Does this before each scrape: for gauges that come and go. */
  public void beforeScrape(Runnable refresh) {
    if (!none) {
      beforeScrape.add(refresh);
    }
  }

  /** The gauges that come and go are those of now. Before each scrape. */
  public void refresh() {
    beforeScrape.forEach(Runnable::run);
  }

  /** The gauge with these values of its labels; of a sum, which only grows, too. */
  public GaugeValue gauge(Metric metric, String... labelValues) {
    return known(gauges, new Key(metric, List.of(labelValues)), this::newGauge);
  }

  /** A gauge that the caller keeps and removes; replaces an earlier one of the same labels. */
  public Meter register(Metric metric, GaugeValue value, Tags labels) {
    removeEarlier(metric, labels, Meter.Type.GAUGE);
    return Gauge.builder(name(metric), value, GaugeValue::value)
        .strongReference(true)
        .description(metric.help())
        .tags(labels)
        .register(registry);
  }

  /** A gauge asked at each scrape, on any thread; replaces one of the same labels. */
  public void gauge(Metric metric, Supplier<Number> value, String... labelValues) {
    Tags labels = labels(metric, labelValues);
    removeEarlier(metric, labels, Meter.Type.GAUGE);
    Gauge.builder(name(metric), value).description(metric.help()).tags(labels).register(registry);
  }

  /**
   * A counter that asks for its value at each scrape, from any thread; it replaces an earlier one
   * of the same labels. Micrometer references the observed object weakly, so the registry is passed
   * as that object.
   */
  public void functionCounter(Metric metric, Supplier<Number> value, String... labelValues) {
    Tags labels = labels(metric, labelValues);
    removeEarlier(metric, labels, Meter.Type.COUNTER);
    FunctionCounter.builder(name(metric), registry, any -> value.get().doubleValue())
        .description(metric.help())
        .tags(labels)
        .register(registry);
  }

  private void removeEarlier(Metric metric, Tags labels, Meter.Type type) {
    registry.removeByPreFilterId(new Meter.Id(name(metric), labels, null, metric.help(), type));
  }

  /** Gauges of one metric that are replaced together. */
  public interface Series {
    /** From now on there are these, by the values of their labels, and no others. */
    void show(Map<List<String>, Number> values);
  }

  /** Gauges of one metric that come and go together. */
  public Series series(Metric metric) {
    MultiGauge gauges =
        MultiGauge.builder(name(metric)).description(metric.help()).register(registry);
    return values -> {
      List<MultiGauge.Row<?>> rows = new ArrayList<>();
      values.forEach(
          (labels, value) -> rows.add(MultiGauge.Row.of(tags(new Key(metric, labels)), value)));
      gauges.register(rows, true);
    };
  }

  /** Removes a meter of {@link #register}. */
  public void remove(Meter meter) {
    registry.remove(meter);
  }

  /** Counts one more. */
  public void count(Metric metric, String... labelValues) {
    counter(metric, labelValues).increment();
  }

  /** For who counts so often that the look-up matters. */
  public Counter counter(Metric metric, String... labelValues) {
    return known(counters, new Key(metric, List.of(labelValues)), this::newCounter);
  }

  /** Records one more duration. */
  public void record(Metric metric, Duration took, String... labelValues) {
    histogram(metric, labelValues).record(took);
  }

  /** For who records so often that the look-up matters. */
  public Timer histogram(Metric metric, String... labelValues) {
    return known(histograms, new Key(metric, List.of(labelValues)), this::newHistogram);
  }

  /** Takes no lock for a meter that is known. */
  private static <M> M known(Map<Key, M> meters, Key key, Function<Key, M> maker) {
    M meter = meters.get(key);
    return meter == null ? meters.computeIfAbsent(key, maker) : meter;
  }

  /** Records one more number in a histogram of what is counted, not timed. */
  public void record(Metric metric, double number, String... labelValues) {
    known(sizes, new Key(metric, List.of(labelValues)), this::newSizes).record(number);
  }

  /** Removes every meter whose {@code label} is {@code value}. */
  public void removeLabelled(String label, String value) {
    removeFrom(gauges, label, value);
    removeFrom(counters, label, value);
    removeFrom(histograms, label, value);
    removeFrom(sizes, label, value);
  }

  private void removeFrom(Map<Key, ?> meters, String label, String value) {
    for (Key key : List.copyOf(meters.keySet())) {
      int at = key.metric().labels().indexOf(label);
      if (at >= 0 && key.values().get(at).equals(value)) {
        meters.remove(key);
        registry.find(name(key.metric())).tags(tags(key)).meters().forEach(registry::remove);
      }
    }
  }

  private GaugeValue newGauge(Key key) {
    GaugeValue value = new GaugeValue();
    register(key.metric(), value, tags(key));
    return value;
  }

  private Counter newCounter(Key key) {
    return Counter.builder(name(key.metric()))
        .description(key.metric().help())
        .tags(tags(key))
        .register(registry);
  }

  private Timer newHistogram(Key key) {
    return Timer.builder(name(key.metric()))
        .description(key.metric().help())
        .serviceLevelObjectives(
            DoubleStream.of(key.metric().shape().bounds())
                .mapToObj(each -> Duration.ofMillis(Math.round(each * 1000)))
                .toArray(Duration[]::new))
        .tags(tags(key))
        .register(registry);
  }

  private DistributionSummary newSizes(Key key) {
    return DistributionSummary.builder(name(key.metric()))
        .description(key.metric().help())
        .serviceLevelObjectives(key.metric().shape().bounds())
        .tags(tags(key))
        .register(registry);
  }

  /** The name of a metric in the registry. All gauges of one metric share it. */
  String name(Metric metric) {
    return names.computeIfAbsent(metric, this::newName);
  }

  private String newName(Metric metric) {
    String name = prefixes.get(metric.prefix()) + metric.suffix();
    boolean hasUnitAppended = metric.isHistogram() && name.endsWith(UNIT);
    return hasUnitAppended ? name.substring(0, name.length() - UNIT.length()) : name;
  }

  /** The labels of a metric, for those who register many meters with the same ones. */
  public static Tags labels(Metric metric, String... values) {
    return tags(new Key(metric, List.of(values)));
  }

  private static Tags tags(Key key) {
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < key.values().size(); i++) {
      tags.add(Tag.of(key.metric().labels().get(i), key.values().get(i)));
    }
    return Tags.of(tags);
  }
}
