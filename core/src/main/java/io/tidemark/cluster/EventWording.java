package io.tidemark.cluster;

import io.tidemark.error.ErrorCode;
import java.util.Locale;

/**
 * How the problems of one kind of object read where they are shown as Kubernetes Events. The
 * defaults are the product's own; a system that replaces another program keeps the words by which
 * people and alerts know it. Thread-safe; never blocks.
 */
public interface EventWording {
  /** The product's own words. */
  EventWording USUAL = new EventWording() {};

  /** Who reports. */
  default String component() {
    return "tidemark-operator";
  }

  /**
   * The reason of a problem, one word; several problems may have the same. {@code SUBNET_EXHAUSTED}
   * is {@code SubnetExhausted}.
   */
  default String reason(ErrorCode code) {
    StringBuilder text = new StringBuilder();
    for (String word : code.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  /**
   * The text while the problem is open: code, what was found, remedy.
   *
   * @param detail what was found, without a full stop
   */
  default String open(String object, ErrorCode code, String detail) {
    return code.label() + ' ' + detail + ". " + code.remedy();
  }

  /** The text once it is solved. */
  default String solved(String object, ErrorCode code) {
    return code.label() + " is solved";
  }
}
