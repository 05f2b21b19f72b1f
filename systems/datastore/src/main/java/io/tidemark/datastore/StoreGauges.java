package io.tidemark.datastore;

import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The present numbers of the store of one network card, as meters. Thread-safe. */
final class StoreGauges {
  private final Meters meters;
  private final String card;

  StoreGauges(Meters meters, int card) {
    this.meters = meters;
    this.card = Integer.toString(card);
  }

  /** Each scrape shows the present numbers of the store. */
  void show(DataStore store) {
    stats(store, Metric.STORE_TOTAL, DatastoreStats::total);
    stats(store, Metric.STORE_ASSIGNED, DatastoreStats::assigned);
    stats(store, Metric.STORE_COOLING, DatastoreStats::cooling);
    show(Metric.STORE_ENIS, store, it -> it.view().enis().size());
    show(Metric.STORE_PREFIXES, store, it -> it.view().stats(IpFamily.IPV4).prefixes());
    show(Metric.STORE_ORPHANS, store, it -> it.orphans().size());
    show(Metric.STORE_LOST, store, StoreGauges::lost);
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

  /** The series of interfaces and blocks come and go with them. */
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
}
