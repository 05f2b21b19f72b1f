package io.tidemark.provider.kit;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.pool.Pool;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The provider's section of a node's status, built from its interfaces: the same object while
 * nothing changes and it is referenced, and otherwise with the same entries for unchanged
 * interfaces. Thread-safe; two threads can build it concurrently.
 *
 * @param <E> the entry of one interface
 * @param <S> the whole section
 */
public final class InterfaceSection<I extends CachedInterface<I>, E, S> {
  private final Function<SortedMap<String, E>, S> whole;
  private final Function<S, Map<String, E>> entries;
  private volatile Made<I, S> made =
      new Made<>(new InstanceView<I>(0, List.of(), false), "", "", new WeakReference<>(null));

  /**
   * The origin of a section.
   *
   * @param section weak, because the node does not need it
   */
  private record Made<I extends CachedInterface<I>, S>(
      InstanceView<I> view, Object networks, Object options, WeakReference<S> section) {
    /** Whether networks and options are the same; networks are compared by identity. */
    @SuppressWarnings("ReferenceEquality")
    boolean isUnder(Object otherNetworks, Object otherOptions) {
      return networks == otherNetworks && options.equals(otherOptions);
    }

    @SuppressWarnings("ReferenceEquality")
    boolean isOf(InstanceView<I> other) {
      return view == other;
    }
  }

  /**
   * A section that was not built yet.
   *
   * @param whole the section of entries by interface id
   * @param entries the entries of a section
   */
  public InterfaceSection(
      Function<SortedMap<String, E>, S> whole, Function<S, Map<String, E>> entries) {
    this.whole = whole;
    this.entries = entries;
  }

  /**
   * The section of the current state.
   *
   * @param networks data of entries beside their interface; another object rebuilds all of them
   * @param options the same, compared by equality
   * @param entry the entry of an interface; empty when it is not shown
   */
  public S of(
      InstanceView<I> view, Object networks, Object options, Function<I, Optional<E>> entry) {
    Made<I, S> before = made;
    S held = before.isUnder(networks, options) ? before.section().get() : null;
    if (held != null && before.isOf(view)) {
      return held;
    }
    Map<String, E> reusable = held == null ? Map.of() : entries.apply(held);
    TreeMap<String, E> all = new TreeMap<>();
    for (I each : view.interfaces()) {
      String id = each.id().text();
      E same = reusable.get(id);
      boolean unchanged =
          same != null && before.view().find(each.id()).filter(each::equals).isPresent();
      if (unchanged) {
        all.put(id, same);
      } else {
        entry.apply(each).ifPresent(made -> all.put(id, made));
      }
    }
    S section = whole.apply(all);
    made = new Made<>(view, networks, options, new WeakReference<>(section));
    return section;
  }

  /** The pod addresses of an interface, blocks expanded. */
  public static <I extends CachedInterface<I>> List<IpAddress> addresses(
      I each, boolean primaryServes) {
    List<IpAddress> all = new ArrayList<>();
    if (primaryServes) {
      each.primaryAddress().ifPresent(all::add);
    }
    all.addAll(each.singles().toList());
    for (Cidr block : each.prefixes()) {
      for (int i = 0; i < Pool.BLOCK_SIZE; i++) {
        all.add(block.address(i));
      }
    }
    return all;
  }
}
