package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.StoreModel.Held;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Tickets for what the cloud is to get back, which stay open over other steps. */
final class RandomReturns {
  private final TestStore node;
  private final StoreModel model;
  private final IpFamily family;
  private final RandomRequests requests;
  private final List<String> log;
  private final List<ReturnTicket> returns = new ArrayList<>();
  private final List<ReturnTicket> removals = new ArrayList<>();

  RandomReturns(
      TestStore node,
      StoreModel model,
      IpFamily family,
      RandomRequests requests,
      List<String> log) {
    this.node = node;
    this.model = model;
    this.family = family;
    this.requests = requests;
    this.log = log;
  }

  /** The program ends, and with it the tickets. */
  void clear() {
    returns.clear();
    removals.clear();
  }

  /** Nothing is given back after all. */
  void rollBack() {
    returns.forEach(ReturnTicket::rollback);
    removals.forEach(ReturnTicket::rollback);
    model.returning.clear();
    model.draining.clear();
    clear();
  }

  void giveBack(Random random) {
    ReturnTicket ticket =
        random.nextInt(4) == 0
            ? node.store.reserveExcluded()
            : node.store.reserveForReturn(family, model.mode, 1 + random.nextInt(3));
    log.add(ticket.parts().toString());
    long now = node.time.nanos();
    for (CloudPart each : ticket.parts()) {
      Cidr cidr = each.cidr().orElseThrow();
      assertThat(model.inUse(cidr)).as("DI9 pods of %s", each).isZero();
      assertThat(StoreModel.addresses(cidr))
          .as("DI7 given back while it cools")
          .noneMatch(ip -> model.cools(ip, now));
      assertThat(model.returning.add(cidr)).as("%s is given back once", each).isTrue();
    }
    returns.add(ticket);
  }

  void endReturn(Random random) {
    if (returns.isEmpty()) {
      return;
    }
    List<CloudPart> returned = new ArrayList<>();
    ReturnTicket ticket = returns.remove(random.nextInt(returns.size()));
    for (CloudPart each : ticket.parts()) {
      Cidr cidr = each.cidr().orElseThrow();
      boolean reserved = model.returning.remove(cidr);
      if (random.nextInt(4) > 0) {
        returned.add(each);
        if (reserved) {
          model.unplace(cidr, requests.now());
        }
      }
    }
    log.add(returned.toString());
    ticket.commit(returned);
  }

  void drain(Random random) {
    String eni = RandomStoreOperations.anyEni(random);
    log.add(eni);
    ReturnTicket ticket = node.store.reserveEni(eni);
    boolean offered = !ticket.parts().isEmpty();
    if (offered) {
      removals.add(ticket);
    }
    removable(eni, offered);
  }

  /** An interface was offered for removal, or was not. */
  private void removable(String eni, boolean offered) {
    long now = node.time.nanos();
    Long added = model.enis.get(eni);
    Set<IpAddress> ips = new HashSet<>();
    model.blocksOf(eni).forEach(block -> ips.addAll(StoreModel.addresses(block)));
    boolean quiet =
        added != null
            && eni.equals("eni-1")
            && !model.draining.contains(eni)
            && now - added >= PoolView.ENI_LIFETIME_MIN.toNanos()
            && model.blocksOf(eni).noneMatch(model.returning::contains);
    boolean may = quiet && ips.stream().noneMatch(ip -> isUsed(ip) || model.cools(ip, now));
    boolean must = quiet && ips.stream().allMatch(ip -> model.isFree(ip, now));
    if (offered) {
      assertThat(may).as("DI8 %s may be removed", eni).isTrue();
      model.draining.add(eni);
    } else {
      assertThat(must).as("DI8 %s can be removed", eni).isFalse();
    }
  }

  private boolean isUsed(IpAddress ip) {
    return model.assigned.containsKey(ip);
  }

  void endDrain(Random random) {
    if (removals.isEmpty()) {
      return;
    }
    ReturnTicket ticket = removals.remove(random.nextInt(removals.size()));
    String eni = ticket.parts().get(0).eniId();
    boolean removed = random.nextBoolean();
    log.add(eni + (removed ? " removed" : " stays"));
    ticket.commit(removed ? ticket.parts() : List.of());
    if (!removed) {
      model.draining.remove(eni);
    } else if (model.inUse(eni) == 0) {
      model.removeEni(eni, requests.now());
    }
  }

  /** The cloud says that the node does not have some addresses of sandboxes. */
  void confirm(Random random) {
    List<IpAddress> gone =
        model.orphans.stream().map(Held::ip).filter(ip -> random.nextBoolean()).toList();
    int before = model.orphans.size();
    int forgotten = node.store.confirmDetached(gone);
    forgotten(gone);
    assertThat(before - model.orphans.size()).isEqualTo(forgotten);
    node.pass(Duration.ofMillis(100));
  }

  /** Orphans of which the cloud has confirmed the end may be forgotten. */
  private void forgotten(Collection<IpAddress> confirmed) {
    Set<Held> left = new HashSet<>();
    node.store
        .orphans()
        .forEach(
            each ->
                left.add(new Held(each.address().orElseThrow(), RandomRestart.name(each.entry()))));
    for (Held each : List.copyOf(model.orphans)) {
      if (!left.contains(each)) {
        assertThat(confirmed).as("DI9 forgotten").contains(each.ip());
        model.orphans.remove(each);
      }
    }
  }
}
