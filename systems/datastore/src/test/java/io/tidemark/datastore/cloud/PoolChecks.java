package io.tidemark.datastore.cloud;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The invariants of a node, and those of a node at rest. */
public final class PoolChecks {
  private final PoolWorld world;
  private final Map<IpAddress, Long> released = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int removedInUse;
  private long forcedBefore;

  public PoolChecks(PoolWorld world) {
    this.world = world;
  }

  /** The first violation; empty when there is none. */
  public Optional<String> violation() {
    return violations.stream().findFirst();
  }

  /** Notes what must not happen. */
  public void violated(String what) {
    violations.add(Duration.ofNanos(world.time().nanos()) + " " + what);
  }

  // ---- what has happened

  /** Another program takes the place of the one that runs now. */
  public void restarting() {
    forcedBefore += world.store().counters().forceRemovedAddresses();
  }

  void released(IpAddress address) {
    released.put(address, world.time().nanos());
  }

  /** Others have taken away what pods may use. */
  void removedByOthers(Cidr cidr) {
    removedInUse += (int) Math.min(16, cidr.sizeSaturated());
  }

  boolean isTouchedByOthers(IpAddress address) {
    return world.touchedByOthers().stream().anyMatch(cidr -> cidr.contains(address));
  }

  private boolean isAttached(IpAddress address) {
    return world.attached().stream().anyMatch(cidr -> cidr.contains(address));
  }

  /** A pod gets an address. */
  void granted(String pod, AssignOutcome.Granted granted, Map<String, IpAddress> running) {
    IpAddress address = granted.assignment().address();
    running.forEach(
        (other, its) -> {
          if (its.equals(address)) {
            violated(address + " of " + pod + " is that of " + other);
          }
        });
    if (!isAttached(address) && !isTouchedByOthers(address)) {
      violated(address + " of " + pod + " is not attached");
    }
    if (!world.isSetUp(address) && !isTouchedByOthers(address)) {
      violated(address + " of " + pod + " is of an interface that the host is not set up for");
    }
    Duration calm = PoolGrowth.SUBNET_PAUSE.plus(PoolReconciler.EVERY);
    if (granted.cutShortAfter().isPresent()
        && !world.isFull()
        && !isReturning()
        && interfacesInStore().equals(world.interfaces())
        && !world.hasOthers()
        && world.client().quietFor().compareTo(calm) > 0) {
      violated(address + " was assigned early though the node can grow");
    }
  }

  /** Something takes room in the cloud until it has been given back. */
  private boolean isReturning() {
    return world.store().view().enis().stream()
        .anyMatch(eni -> eni.draining() || eni.cidrs().stream().anyMatch(CidrView::returning));
  }

  /** The node gives something back to the cloud. */
  void givenBack(Cidr cidr, Map<String, IpAddress> running) {
    running.forEach(
        (pod, address) -> {
          if (cidr.contains(address)) {
            violated(cidr + " is given back, but " + pod + " uses it");
          }
        });
    long period = world.cooldown().period().toNanos();
    released.forEach(
        (address, at) -> {
          long ago = world.time().nanos() - at;
          if (cidr.contains(address) && ago < period && !isTouchedByOthers(address)) {
            violated(cidr + " is given back " + Duration.ofNanos(ago) + " after its release");
          }
        });
  }

  // ---- what must hold

  void always() {
    long forced = forcedBefore + world.store().counters().forceRemovedAddresses();
    if (forced > removedInUse) {
      violated("removed by force: " + forced + ", of which others removed " + removedInUse);
    }
    if (world.servesPrimary()
        && world.loop().hasReadCloud()
        && world.store().view().enis().stream().noneMatch(eni -> eni.spec().primary())) {
      violated("the primary interface has left the store");
    }
  }

  /**
   * Nothing changes any more.
   *
   * @param before how many changes there were when the node had to be at rest
   * @param waiting pods that have no address
   */
  void atRest(int before, List<String> waiting) {
    List<String> all = world.changes();
    if (all.size() > before) {
      violated("no rest: " + all.subList(before, all.size()));
    }
    same("addresses", inStore(), world.attached());
    same("interfaces", interfacesInStore(), world.interfaces());
    if (isReturning()) {
      violated("a return has no end: " + world.store().view());
    }
    world
        .store()
        .assigned()
        .forEach(
            each -> {
              if (!isAttached(each.assignment().address())) {
                violated(each + " is not attached");
              }
            });
    targets();
    if (!waiting.isEmpty() && !world.isFull()) {
      violated("at rest pods wait: " + waiting + " with " + world.store().view());
    }
  }

  /**
   * All pods have ended, and what they had has cooled: all that is here is given out.
   *
   * @param left pods that cannot end
   */
  void without(List<String> left) {
    DataStore store = world.store();
    DatastoreStats stats = store.view().stats(IpFamily.IPV4);
    if (!left.isEmpty() || stats.usable() < stats.total() || !store.orphans().isEmpty()) {
      violated("without pods not all is free: " + left + store.orphans() + store.view());
    }
    List<CompletableFuture<AssignOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < stats.total(); i++) {
      IpamKey key = new IpamKey("aws-cni", "last-" + i, "eth0");
      outcomes.add(store.assign(key, IpamMetadata.NONE, IpFamily.IPV4).toCompletableFuture());
    }
    world.time().runUntil(world.time().nanos() + Duration.ofSeconds(5).toNanos());
    for (CompletableFuture<AssignOutcome> each : outcomes) {
      boolean crashed = !each.isDone();
      if (!crashed && !(each.getNow(null) instanceof AssignOutcome.Granted)) {
        violated("free, but not given out: " + each.getNow(null) + " of " + stats);
      }
    }
  }

  private void same(String what, Set<?> here, Set<?> there) {
    if (!here.equals(there)) {
      violated(what + ": the store has " + here + ", the cloud " + there);
    }
  }

  private Set<Cidr> inStore() {
    return world.store().view().enis().stream()
        .flatMap(eni -> eni.cidrs().stream())
        .map(CidrView::cidr)
        .collect(Collectors.toSet());
  }

  private Set<String> interfacesInStore() {
    return world.store().view().enis().stream()
        .map(eni -> eni.spec().id())
        .collect(Collectors.toSet());
  }

  private void targets() {
    PoolLimits limits = world.limits().withUnmanaged(world.unmanaged());
    PoolTargets targets =
        new PoolTargets(IpFamily.IPV4, world.warm(), () -> Optional.of(limits), Profile.TIDEMARK);
    Step step =
        PoolDecision.of(
                world.store().view(),
                targets,
                limits,
                new Circumstances(Pending.NONE, 0, false, false, false, true))
            .step();
    if (!(step instanceof Step.Nothing) && !(step instanceof Step.Grow && world.isFull())) {
      violated("at rest the node still wants " + step);
    }
  }
}
