package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** The certain or possible effect of an own request on one instance. */
public interface Change<I extends CachedInterface<I>> {
  /** The interfaces with this change applied; idempotent. */
  List<I> replay(List<I> interfaces);

  /** Addresses were added to an interface. */
  record Added<I extends CachedInterface<I>>(
      InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return edit(interfaces, on, each -> each.plus(singles, prefixes));
    }
  }

  /** Addresses were, or may have been, removed from an interface. */
  record Removed<I extends CachedInterface<I>>(
      InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return edit(interfaces, on, each -> each.minus(singles, prefixes));
    }

    /** Whether the interface has a part of the removed addresses. */
    boolean remainsOn(I each) {
      return each.id().equals(on)
          && (each.singles().intersects(singles)
              || prefixes.stream().anyMatch(each.prefixes()::contains));
    }

    /** Whether a part of the removed addresses came with {@code other}. */
    boolean concerns(Change<I> other) {
      return other instanceof Attached<I> attached
          ? remainsOn(attached.made())
          : other instanceof Added<I> added
              && added.on().equals(on)
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

  /** An interface was attached, with its addresses: a read can show it before all of them. */
  record Attached<I extends CachedInterface<I>>(I made) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      if (interfaces.stream().anyMatch(each -> each.id().equals(made.id()))) {
        return edit(interfaces, made.id(), each -> each.plus(made.singles(), made.prefixes()));
      }
      List<I> more = new ArrayList<>(interfaces);
      more.add(made);
      more.sort(Comparator.comparing(I::id));
      return more;
    }
  }

  /**
   * An assignment with a lost response.
   *
   * @param slotsBefore slots in use before it; more of them show that it had its effect
   */
  record AssignLost<I extends CachedInterface<I>>(InterfaceId on, int slotsBefore)
      implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return interfaces;
    }
  }

  /** An attachment with a lost response; the interface has its addresses already. */
  record AttachLost<I extends CachedInterface<I>>(InterfaceId id) implements Change<I> {
    @Override
    public List<I> replay(List<I> interfaces) {
      return interfaces;
    }
  }

  /** A request with a lost response that can be repeated safely; only its date matters. */
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
