package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The meters of the store of one network card. Thread-safe. */
final class StoreMeters {
  static final StoreMeters NONE = new StoreMeters(Meters.none(), 0);

  private final Meters meters;
  private final String card;

  StoreMeters(Meters meters, int card) {
    this.meters = meters;
    this.card = Integer.toString(card);
  }

  /** Shows the numbers of a store from now on, each as it is when it is read. */
  void show(
      Supplier<PoolView> view, Supplier<List<Orphan>> orphans, Supplier<StoreCounters> counters) {
    stats(view, Metric.STORE_TOTAL, DatastoreStats::total);
    stats(view, Metric.STORE_ASSIGNED, DatastoreStats::assigned);
    stats(view, Metric.STORE_COOLING, DatastoreStats::cooling);
    show(Metric.STORE_ENIS, () -> view.get().enis().size());
    show(Metric.STORE_PREFIXES, () -> view.get().stats(IpFamily.IPV4).prefixes());
    show(Metric.STORE_ORPHANS, () -> orphans.get().size());
    show(Metric.STORE_LOST, () -> lost(orphans.get()));
    show(Metric.STORE_NO_ADDRESS, () -> counters.get().noAddress());
    show(Metric.STORE_FORCED_ENIS, () -> counters.get().forceRemovedEnis());
    show(Metric.STORE_FORCED_IPS, () -> counters.get().forceRemovedAddresses());
    meters.functionCounter(Metric.STORE_CUT_SHORT, () -> counters.get().cutShort(), card);
    places(view);
  }

  private void show(Metric metric, Supplier<Number> number) {
    meters.gauge(metric, number, card);
  }

  /** Those of both families. */
  private void stats(
      Supplier<PoolView> view, Metric metric, ToLongFunction<DatastoreStats> number) {
    show(
        metric,
        () -> {
          PoolView now = view.get();
          return number.applyAsLong(now.stats(IpFamily.IPV4).plus(now.stats(IpFamily.IPV6)));
        });
  }

  private static long lost(List<Orphan> orphans) {
    return orphans.stream().filter(each -> each.last().isPresent()).count();
  }

  private void places(Supplier<PoolView> view) {
    Meters.Series perEni = meters.series(Metric.STORE_ASSIGNED_PER_ENI);
    Meters.Series perCidr = meters.series(Metric.STORE_ASSIGNED_PER_CIDR);
    meters.beforeScrape(
        () -> {
          Map<List<String>, Number> enis = new HashMap<>();
          Map<List<String>, Number> cidrs = new HashMap<>();
          for (PoolView.EniView eni : view.get().enis()) {
            enis.put(List.of(card, eni.spec().id()), eni.inUse());
            eni.cidrs()
                .forEach(each -> cidrs.put(List.of(card, each.cidr().toString()), each.inUse()));
          }
          perEni.show(enis);
          perCidr.show(cidrs);
        });
  }

  // ---- events

  /** Writes a checkpoint; also a write that fails is measured. */
  void write(Checkpointer file, byte[] content, TimeSource time) throws IOException {
    long began = time.nanos();
    boolean written = false;
    try {
      file.checkpoint(content);
      written = true;
    } finally {
      Duration took = Duration.ofNanos(time.nanos() - began);
      meters.record(Metric.STORE_CHECKPOINT_DURATION, took, card);
      if (!written) {
        meters.count(Metric.STORE_CHECKPOINT_FAILURES, card);
      }
    }
  }

  void batch(int changes) {
    meters.record(Metric.STORE_BATCH_SIZE, changes, card);
  }

  /** An address was assigned; negative for one that was not released before. */
  void assigned(long reuseNanos) {
    if (reuseNanos >= 0) {
      meters.record(Metric.STORE_REUSE_DISTANCE, Duration.ofNanos(reuseNanos), card);
    }
  }
}
