package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CloudPart;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.Removal;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.TimeSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The knowledge of the store of a card about the cloud, and when it was learned. Not thread-safe,
 * but its store is.
 */
final class CardInventory {
  private static final Logger LOG = LoggerFactory.getLogger(CardInventory.class);

  /** Of the one prefix that a card has. */
  private static final long IPV6_ADDRESSES = 1L << 48;

  final DataStore store;
  final ReadLagHistory history = new ReadLagHistory();

  /** Interfaces of which the store could not take up all that the last answer shows. */
  private final Set<String> moreThere = new HashSet<>();

  private final int card;
  private final TimeSource time;
  private final Predicate<Cidr> elsewhere;

  /** Whether the first answer has filled the store. */
  private boolean filled;

  /** Whether what changes now is to be counted. */
  private boolean correcting;

  private final LongAdder enisAdded = new LongAdder();
  private final LongAdder enisRemoved = new LongAdder();
  private final LongAdder cidrsAdded = new LongAdder();
  private final LongAdder cidrsRemoved = new LongAdder();

  /**
   * Of a store that has nothing yet.
   *
   * @param elsewhere whether the store of another card still has something of an address or prefix
   */
  CardInventory(int card, DataStore store, TimeSource time, Predicate<Cidr> elsewhere) {
    this.card = card;
    this.store = store;
    this.time = time;
    this.elsewhere = elsewhere;
  }

  /** The cloud has given these: whatever the store says of them is out of date. */
  void given(String eniId, CidrKind kind, Collection<Cidr> cidrs) {
    for (Cidr cidr : cidrs) {
      for (CloudPart elsewhere : holders(eniId, cidr)) {
        LOG.warn("{} is now one of {}", elsewhere, eniId);
        remove(elsewhere, Removal.FORCED);
      }
      add(eniId, kind, List.of(cidr));
    }
  }

  /** The parts of interfaces other than this that overlap an address or prefix. */
  private List<CloudPart> holders(String eniId, Cidr cidr) {
    return store.view().enis().stream()
        .filter(eni -> !eni.spec().id().equals(eniId))
        .flatMap(
            eni ->
                eni.cidrs().stream()
                    .filter(each -> each.cidr().overlaps(cidr))
                    .map(each -> CloudPart.of(eni.spec().id(), each.cidr())))
        .toList();
  }

  void given(CloudEni eni) {
    add(new CloudEni(eni.spec(), eni.card(), eni.mac(), eni.managed(), List.of()));
    eni.cidrs().forEach(each -> given(eni.spec().id(), each.kind(), List.of(each.cidr())));
  }

  /** Whether an interface may have more in the cloud than the store knows, such as what cools. */
  boolean mayHaveMore(String eniId) {
    return moreThere.contains(eniId) || history.hasLostParts(eniId);
  }

  /** An interface that the cloud has shown; how much of it is new here. */
  private int add(CloudEni eni) {
    StoreEniSpec spec = eni.spec();
    Optional<StoreRefusal> known = store.addEni(spec);
    history.changed(CloudPart.eni(spec.id()), time.nanos());
    int added = known.isEmpty() ? 1 : 0;
    if (known.isEmpty()) {
      count(enisAdded);
    }
    for (CloudCidr each : eni.cidrs()) {
      added += add(spec.id(), each.kind(), List.of(each.cidr()));
    }
    return added;
  }

  /** Adds the addresses that the cloud has shown of an interface; how much of it is new here. */
  private int add(String eniId, CidrKind kind, Collection<Cidr> cidrs) {
    int added = 0;
    for (Cidr cidr : cidrs) {
      if (elsewhere.test(cidr)) {
        moreThere.add(eniId);
        continue;
      }
      Optional<StoreRefusal> refusal = store.addCidr(eniId, cidr, kind);
      if (refusal.isEmpty()) {
        history.changed(CloudPart.of(eniId, cidr), time.nanos());
        count(cidrsAdded);
        added++;
      } else {
        LOG.debug("not taken up: {}", refusal.get().detail());
        moreThere.add(eniId);
      }
    }
    return added;
  }

  /**
   * Removes what a pod has, or had, of another card by the file of that card: it has moved here
   * since. Any thread may call this.
   */
  void yieldToOthers() {
    for (EniView eni : store.view().enis()) {
      for (CidrView each : eni.cidrs()) {
        if (elsewhere.test(each.cidr())) {
          store.removeCidr(eni.spec().id(), each.cidr(), Removal.UNUSED_ONLY);
        }
      }
    }
  }

  /**
   * Makes the store what an answer of the cloud says, as far as the answer can be trusted.
   *
   * @param all the interfaces of the instance, of every card
   * @param asked when the read began
   * @return whether something changed
   */
  boolean reconcile(List<CloudEni> all, long asked) {
    List<CloudEni> cloud = all.stream().filter(eni -> eni.card() == card).toList();
    CloudComparison found = CloudComparison.of(store.view(), cloud, history, asked);
    history.missing(found.missing(), asked);
    moreThere.clear();
    correcting = filled;
    int changes = 0;
    for (CloudPart part : found.unused()) {
      changes += remove(part, Removal.UNUSED_ONLY);
    }
    for (CloudPart part : found.lost()) {
      LOG.warn("{} is no longer attached, but pods use it", part);
      changes += remove(part, Removal.FORCED);
    }
    for (CloudEni eni : found.newEnis()) {
      changes += add(eni);
    }
    for (CloudComparison.NewCidr each : found.newCidrs()) {
      changes += add(each.eniId(), each.cidr().kind(), List.of(each.cidr().cidr()));
    }
    correcting = false;
    filled = true;
    int dropped = store.confirmDetached(detachedOrphans(all));
    if (dropped > 0) {
      LOG.warn(
          "Assignments were dropped whose addresses are no longer attached. count={}", dropped);
    }
    changes += dropped;
    if (changes > 0) {
      LOG.info("The store is as the cloud says. card={} changes={}", card, changes);
    }
    return changes > 0;
  }

  private void count(LongAdder counter) {
    if (correcting) {
      counter.increment();
    }
  }

  /**
   * Each scrape shows the present limits and corrections. The latter have the names that the AWS
   * VPC CNI gives them.
   *
   * @param limits empty while they are not known; from any thread
   */
  void measure(Supplier<Optional<PoolLimits>> limits, IpFamily family, Meters meters) {
    String name = Integer.toString(card);
    meters.gauge(
        Metric.STORE_ENI_MAX, () -> limits.get().map(PoolLimits::usableEnis).orElse(0), name);
    meters.gauge(Metric.STORE_IP_MAX, () -> addressesMax(limits.get(), family), name);
    Map.of(
            "eniReconcileAdd", enisAdded,
            "eniReconcileDel", enisRemoved,
            "eniDataStorePoolReconcileAdd", cidrsAdded,
            "eniIPPoolReconcileDel", cidrsRemoved)
        .forEach((fn, sum) -> meters.gauge(Metric.STORE_CORRECTIONS, sum::sum, name, fn));
  }

  private long addressesMax(Optional<PoolLimits> limits, IpFamily family) {
    return family == IpFamily.IPV6
        ? IPV6_ADDRESSES
        : limits.map(each -> each.addresses(store.view().mode())).orElse(0L);
  }

  private int remove(CloudPart part, Removal removal) {
    Optional<StoreRefusal> refusal =
        part.cidr().isPresent()
            ? store.removeCidr(part.eniId(), part.cidr().get(), removal)
            : store.removeEni(part.eniId(), removal);
    if (refusal.isPresent()) {
      LOG.debug("not removed yet: {}", refusal.get().detail());
      return 0;
    }
    history.left(part, time.nanos());
    count(part.cidr().isPresent() ? cidrsRemoved : enisRemoved);
    return 1;
  }

  /** The addresses of orphans that no interface of the instance has. */
  private List<IpAddress> detachedOrphans(List<CloudEni> all) {
    return store.orphans().stream()
        .flatMap(orphan -> orphan.address().stream())
        .filter(
            address ->
                all.stream()
                    .flatMap(eni -> eni.cidrs().stream())
                    .noneMatch(each -> each.cidr().contains(address)))
        .toList();
  }
}
