package io.tidemark.datastore;

import io.tidemark.file.Commit;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * CIDRs on their way back to the cloud: reserved here first, then given back there, then forgotten
 * here, so that no sandbox gets an address that another host may have.
 */
final class CloudReturns {
  /** Of a larger block no addresses are noted: they are not assigned in such numbers. */
  private static final int NOTED_MAX = 256;

  private final StoreState state;
  private final StorePool pool;
  private final StoreChanges changes;
  private final TimeSource time;

  CloudReturns(StoreState state, StoreChanges changes, TimeSource time) {
    this.state = state;
    this.pool = state.pool;
    this.changes = changes;
    this.time = time;
  }

  /** Notes in the file that the addresses of blocks, which are reserved, cool from now on. */
  CompletionStage<Boolean> note(List<Cidr> cidrs) {
    List<IpAddress> addresses = new ArrayList<>();
    for (Cidr cidr : cidrs) {
      long size = cidr.sizeSaturated();
      for (long i = 0; size <= NOTED_MAX && i < size; i++) {
        addresses.add(cidr.address(i));
      }
    }
    return changes
        .submit(new StoreChange.Released(addresses, time.epochMillis() * 1_000_000, time.nanos()))
        .thenApply(commit -> !(commit instanceof Commit.Failed));
  }

  /** As {@link DataStore#reserveEni}. */
  Optional<RemovalTicket> reserveEni(String eniId) {
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      boolean removable =
          eni != null
              && pool.view(eni, time.nanos()).isRemovable()
              && eni.cidrs.stream().noneMatch(cidr -> cidr.returning);
      if (eni == null || !removable) {
        return Optional.empty();
      }
      eni.draining = true;
      pool.blocks.refresh(eni);
      List<Cidr> cidrs = eni.cidrs.stream().map(each -> each.cidr).toList();
      return Optional.of(new RemovalTicket(this, eniId, cidrs));
    }
  }

  void drained(String eniId) {
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni != null && eni.inUse() == 0) {
        pool.removeEni(eni, time.nanos());
      }
    }
  }

  void notDrained(String eniId) {
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni != null) {
        eni.draining = false;
        pool.blocks.refresh(eni);
      }
    }
  }

  /** As {@link DataStore#reserveForReturn}. */
  ReturnTicket reserveForReturn(IpFamily family, CidrKind kind, int max) {
    synchronized (state) {
      return reserve(
          pool.wholeCidrs(time.nanos()).stream()
              .filter(each -> each.eni.takesPods())
              .filter(each -> each.kind == kind && each.cidr.family() == family)
              .limit(max)
              .toList());
    }
  }

  ReturnTicket reserveExcluded() {
    synchronized (state) {
      return reserve(
          pool.wholeCidrs(time.nanos()).stream()
              .filter(each -> each.eni.excluded && !each.eni.draining)
              .toList());
    }
  }

  private ReturnTicket reserve(List<CidrState> chosen) {
    for (CidrState each : chosen) {
      each.returning = true;
      pool.blocks.refresh(each);
    }
    return new ReturnTicket(
        this,
        chosen.stream()
            .map(each -> new ReturnTicket.Returned(each.eni.spec.id(), each.cidr))
            .toList());
  }

  void returned(List<ReturnTicket.Returned> reserved, Collection<Cidr> gone) {
    synchronized (state) {
      for (ReturnTicket.Returned each : reserved) {
        CidrState state = pool.blocks.overlapping(each.cidr());
        if (state == null || !state.returning || !state.cidr.equals(each.cidr())) {
          continue;
        }
        if (gone.contains(each.cidr())) {
          pool.removeCidr(state, time.nanos());
        } else {
          state.returning = false;
          pool.blocks.refresh(state);
        }
      }
    }
  }
}
