package io.tidemark.datastore;

import io.tidemark.file.Commit;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
  ReturnTicket reserveEni(String eniId) {
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      boolean removable =
          eni != null
              && pool.view(eni, time.nanos()).isRemovable()
              && eni.cidrs.stream().noneMatch(cidr -> cidr.returning);
      if (eni == null || !removable) {
        return new ReturnTicket(this, List.of(), List.of());
      }
      eni.draining = true;
      pool.blocks.refresh(eni);
      List<Cidr> cidrs = eni.cidrs.stream().map(each -> each.cidr).toList();
      return new ReturnTicket(this, List.of(CloudPart.eni(eniId)), cidrs);
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
        chosen.stream().map(each -> CloudPart.of(each.eni.spec.id(), each.cidr)).toList(),
        chosen.stream().map(each -> each.cidr).toList());
  }

  void ended(List<CloudPart> reserved, Collection<CloudPart> gone) {
    synchronized (state) {
      for (CloudPart part : reserved) {
        if (part.cidr().isPresent()) {
          ended(part.cidr().get(), gone.contains(part));
        } else {
          ended(part.eniId(), gone.contains(part));
        }
      }
    }
  }

  private void ended(Cidr cidr, boolean gone) {
    CidrState block = pool.blocks.overlapping(cidr);
    if (block == null || !block.returning || !block.cidr.equals(cidr)) {
      return;
    }
    if (gone) {
      pool.removeCidr(block, time.nanos());
    } else {
      block.returning = false;
      pool.blocks.refresh(block);
    }
  }

  private void ended(String eniId, boolean gone) {
    EniState eni = pool.blocks.eni(eniId);
    if (eni == null) {
      return;
    }
    if (!gone) {
      eni.draining = false;
      pool.blocks.refresh(eni);
    } else if (eni.inUse() == 0) {
      pool.removeEni(eni, time.nanos());
    }
  }
}
