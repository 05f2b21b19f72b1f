package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a request of ours changed, or may have changed, on one instance.
 *
 * @param <I> the provider's interface
 */
public interface Change<I extends CachedInterface<I>> {
  /** The interfaces with this change made; without effect where it is made already. */
  List<I> replay(List<I> interfaces);

  /** Addresses came to an interface. */
  record Added<I extends CachedInterface<I>>(
      InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change<I> {
    public Added {
      prefixes = List.copyOf(prefixes);
    }

    @Override
    public List<I> replay(List<I> interfaces) {
      return edit(interfaces, on, each -> each.plus(singles, prefixes));
    }
  }

  /** Addresses were taken from an interface, perhaps. */
  record Removed<I extends CachedInterface<I>>(
      InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change<I> {
    public Removed {
      prefixes = List.copyOf(prefixes);
    }

    @Override
    public List<I> replay(List<I> interfaces) {
      return edit(interfaces, on, each -> each.minus(singles, prefixes));
    }

    /** Whether the interface holds a part of what was taken. */
    boolean remainsOn(I each) {
      return each.id().equals(on)
          && (each.singles().intersects(singles)
              || prefixes.stream().anyMatch(each.prefixes()::contains));
    }

    /** Whether a part of what was taken had come by {@code added}. */
    boolean concerns(Added<I> added) {
      return added.on().equals(on)
          && (added.singles().intersects(singles)
              || prefixes.stream().anyMatch(added.prefixes()::contains));
    }
  }

  /** One interface was changed otherwise. */
  record Edited<I extends CachedInterface<I>>(InterfaceId on, UnaryOperator<I> how)
      implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return edit(interfaces, on, how);
    }
  }

  /** An interface was attached. */
  record Attached<I extends CachedInterface<I>>(I made) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      if (interfaces.stream().anyMatch(each -> each.id().equals(made.id()))) {
        return interfaces;
      }
      List<I> more = new ArrayList<>(interfaces);
      more.add(made);
      more.sort(Comparator.comparing(I::id));
      return more;
    }
  }

  /**
   * An assignment whose answer was lost.
   *
   * @param slotsBefore places taken before it; more of them show that it had its effect
   */
  record AssignLost<I extends CachedInterface<I>>(InterfaceId on, int slotsBefore)
      implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return interfaces;
    }
  }

  /**
   * An attachment whose answer was lost, perhaps made; the interface brings its addresses along.
   */
  record AttachLost<I extends CachedInterface<I>>(InterfaceId id) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return interfaces;
    }
  }

  /** A request whose answer was lost and whose repetition is harmless: there is only its date. */
  record Unclear<I extends CachedInterface<I>>() implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return interfaces;
    }
  }

  /** The interfaces with one of them edited. */
  static <I extends CachedInterface<I>> List<I> edit(
      List<I> interfaces, InterfaceId id, UnaryOperator<I> how) {
    return interfaces.stream().map(each -> each.id().equals(id) ? how.apply(each) : each).toList();
  }
}
