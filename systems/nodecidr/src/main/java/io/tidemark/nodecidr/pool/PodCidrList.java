package io.tidemark.nodecidr.pool;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.IpFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The CIDRs of a CiliumNode as they are written. A text that is not canonical stays as it is; one
 * that is added is canonical. Immutable.
 */
record PodCidrList(List<String> texts) {
  PodCidrList {
    texts = List.copyOf(texts);
  }

  /** Whether all of these are written, in whatever spelling. */
  boolean containsAll(List<Cidr> cidrs) {
    return texts.stream().flatMap(text -> read(text).stream()).toList().containsAll(cidrs);
  }

  /**
   * These and those that are missing, IPv4 first. Empty when one is missing whose family is written
   * with another CIDR, or with a text that cannot be read and so may be of any family.
   */
  Optional<PodCidrList> plus(List<Cidr> cidrs) {
    List<String> before = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    for (Cidr each : cidrs) {
      if (!containsAll(List.of(each))) {
        if (texts.stream().anyMatch(text -> isOf(each.family(), text))) {
          return Optional.empty();
        }
        boolean first = !texts.isEmpty() && each.family() == IpFamily.IPV4;
        (first ? before : behind).add(each.toString());
      }
    }
    List<String> all = new ArrayList<>(before);
    all.addAll(texts);
    all.addAll(behind);
    return Optional.of(new PodCidrList(all));
  }

  private static boolean isOf(IpFamily family, String text) {
    return read(text).map(cidr -> cidr.family() == family).orElse(true);
  }

  private static Optional<Cidr> read(String text) {
    try {
      return Optional.of(Cidr.parseLenient(text));
    } catch (IpFormatException e) {
      return Optional.empty();
    }
  }
}
