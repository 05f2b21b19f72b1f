package io.tidemark.spi;

import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The provider's cached state of a node: immutable, O(1), the same object until it changes. */
public sealed interface Inventory {
  /**
   * The instance is known.
   *
   * @param generation value of the provider's counter at the last own mutation, lost ones included,
   *     or accepted sync of this instance; compared with {@link
   *     SyncOutcome.Synced#startedGeneration()}
   * @param interfaces with addresses for pods, ids ascending
   */
  record Known(long generation, List<AttachedInterface> interfaces, InterfaceStatistics statistics)
      implements Inventory {
    public Known {
      interfaces = List.copyOf(interfaces);
      Objects.requireNonNull(statistics, "statistics");
    }

    /** Whether {@code address} is attached; builds no set. */
    public boolean contains(IpAddress address) {
      for (AttachedInterface each : interfaces) {
        if (each.contains(address)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * The cache does not hold the instance.
   *
   * @param authoritative the cloud confirmed that it does not exist
   * @param why the problem if more than this instance is affected; otherwise empty
   */
  record InstanceMissing(boolean authoritative, Optional<Blocked> why) implements Inventory {
    public InstanceMissing {
      Objects.requireNonNull(why, "why");
    }

    /** As far as known, only this instance is missing. */
    public InstanceMissing(boolean authoritative) {
      this(authoritative, Optional.empty());
    }
  }

  /** The limits of the instance's type are not known. */
  record LimitsUnknown(String instanceType) implements Inventory {
    public LimitsUnknown {
      Objects.requireNonNull(instanceType, "instanceType");
    }
  }

  /** The node must not be changed: no cloud call and no write until the reason is gone. */
  record Untouchable(Blocked reason) implements Inventory {
    public Untouchable {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** One function per case. */
  default <R> R match(
      Function<Known, R> known,
      Function<InstanceMissing, R> missing,
      Function<LimitsUnknown, R> limitsUnknown,
      Function<Untouchable, R> untouchable) {
    if (this instanceof Known k) {
      return known.apply(k);
    }
    if (this instanceof InstanceMissing m) {
      return missing.apply(m);
    }
    if (this instanceof LimitsUnknown l) {
      return limitsUnknown.apply(l);
    }
    return untouchable.apply((Untouchable) this);
  }
}
