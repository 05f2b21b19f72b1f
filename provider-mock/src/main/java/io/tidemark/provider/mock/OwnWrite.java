package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One change of ours, remembered until reads can be trusted to show it (node-manager 13 D-4).
 *
 * @param generation the counter's value when its answer came, or was given up
 * @param nanos when that was
 * @param certain the cloud confirmed it; false when the answer was lost
 */
record OwnWrite(long generation, long nanos, boolean certain, Change change) {

  /** What was changed. */
  sealed interface Change {}

  /** Addresses came to an interface. */
  record Added(InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change {}

  /** Addresses were taken from an interface, perhaps. */
  record Removed(InterfaceId on, AddressSet singles, List<Cidr> prefixes) implements Change {
    /** Whether the interface holds a part of what was taken. */
    boolean remainsOn(Eni eni) {
      return eni.id().equals(on)
          && (eni.singles().intersects(singles)
              || prefixes.stream().anyMatch(eni.prefixes()::contains));
    }

    /** Whether a part of what was taken had come by {@code added}. */
    boolean concerns(Added added) {
      return added.on().equals(on)
          && (added.singles().intersects(singles)
              || prefixes.stream().anyMatch(added.prefixes()::contains));
    }
  }

  /** An interface was attached. */
  record Attached(Eni eni) implements Change {}

  /** An interface was marked to go, or not to go, with its instance. */
  record Marked(InterfaceId on, boolean deleteOnTermination) implements Change {}

  /** A public address was associated. */
  record Associated(InterfaceId on, IpAddress address) implements Change {}

  /**
   * An assignment whose answer was lost.
   *
   * @param slotsBefore places taken before it; more of them show that it had its effect
   */
  record AssignLost(InterfaceId on, int slotsBefore) implements Change {}

  /**
   * An attachment whose answer was lost, perhaps made; the interface brings its addresses along.
   */
  record AttachLost(InterfaceId eni) implements Change {}

  /** A request whose answer was lost and whose repetition is harmless: there is only its date. */
  record Unclear() implements Change {}

  /** This write after a read that shows its effect, and so what exactly it was. */
  OwnWrite confirmedBy(List<Eni> read) {
    Change made = change;
    for (Eni eni : read) {
      if (change instanceof AssignLost lost && eni.id().equals(lost.on())) {
        made = new Added(eni.id(), eni.singles(), eni.prefixes());
      } else if (change instanceof AttachLost lost && eni.id().equals(lost.eni())) {
        made = new Attached(eni);
      }
    }
    return new OwnWrite(generation, nanos, true, made);
  }

  /** The interfaces with this change made; without effect where it is made already. */
  List<Eni> replay(List<Eni> interfaces) {
    if (change instanceof Added added) {
      return edit(interfaces, added.on(), eni -> eni.plus(added.singles(), added.prefixes()));
    }
    if (change instanceof Removed removed) {
      return edit(
          interfaces, removed.on(), eni -> eni.minus(removed.singles(), removed.prefixes()));
    }
    if (change instanceof Marked marked) {
      return edit(
          interfaces,
          marked.on(),
          eni -> eni.withDeleteOnTermination(marked.deleteOnTermination()));
    }
    if (change instanceof Associated associated) {
      return edit(interfaces, associated.on(), eni -> eni.withPublicAddress(associated.address()));
    }
    if (change instanceof Attached attached
        && interfaces.stream().noneMatch(eni -> eni.id().equals(attached.eni().id()))) {
      List<Eni> more = new ArrayList<>(interfaces);
      more.add(attached.eni());
      more.sort(Comparator.comparing(Eni::id));
      return more;
    }
    return interfaces;
  }

  private static List<Eni> edit(List<Eni> interfaces, InterfaceId id, UnaryOperator<Eni> how) {
    return interfaces.stream().map(eni -> eni.id().equals(id) ? how.apply(eni) : eni).toList();
  }
}
