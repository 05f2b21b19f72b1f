package io.tidemark.spi;

import java.util.Objects;

/**
 * The cloud's id of a network interface.
 *
 * @param text as the cloud has it; never empty
 */
public record InterfaceId(String text) implements Comparable<InterfaceId> {
  public InterfaceId {
    Objects.requireNonNull(text, "text");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("text is empty");
    }
  }

  @Override
  public int compareTo(InterfaceId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
