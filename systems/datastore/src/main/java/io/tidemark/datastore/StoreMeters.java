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
import java.util.function.Function;
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

  void show(DataStore store) {
    stats(store, Metric.STORE_TOTAL, DatastoreStats::total);
    stats(store, Metric.STORE_ASSIGNED, DatastoreStats::assigned);
    stats(store, Metric.STORE_COOLING, DatastoreStats::cooling);
    show(Metric.STORE_ENIS, store, it -> it.view().enis().size());
    show(Metric.STORE_PREFIXES, store, it -> it.view().stats(IpFamily.IPV4).prefixes());
    show(Metric.STORE_ORPHANS, store, it -> it.orphans().size());
    show(Metric.STORE_LOST, store, StoreMeters::lost);
    show(Metric.STORE_NO_ADDRESS, store, it -> it.counters().noAddress());
    show(Metric.STORE_FORCED_ENIS, store, it -> it.counters().forceRemovedEnis());
    show(Metric.STORE_FORCED_IPS, store, it -> it.counters().forceRemovedAddresses());
    meters.functionCounter(Metric.STORE_CUT_SHORT, () -> store.counters().cutShort(), card);
    places(store);
  }

  private void show(Metric metric, DataStore store, Function<DataStore, Number> number) {
    meters.gauge(metric, () -> number.apply(store), card);
  }

  /** Those of both families. */
  private void stats(DataStore store, Metric metric, ToLongFunction<DatastoreStats> number) {
    meters.gauge(
        metric,
        () -> {
          PoolView view = store.view();
          return number.applyAsLong(view.stats(IpFamily.IPV4).plus(view.stats(IpFamily.IPV6)));
        },
        card);
  }

  private static long lost(DataStore store) {
    return store.orphans().stream().filter(each -> each.last().isPresent()).count();
  }

  private void places(DataStore store) {
    Meters.Series perEni = meters.series(Metric.STORE_ASSIGNED_PER_ENI);
    Meters.Series perCidr = meters.series(Metric.STORE_ASSIGNED_PER_CIDR);
    meters.beforeScrape(
        () -> {
          Map<List<String>, Number> enis = new HashMap<>();
          Map<List<String>, Number> cidrs = new HashMap<>();
          for (PoolView.EniView eni : store.view().enis()) {
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
