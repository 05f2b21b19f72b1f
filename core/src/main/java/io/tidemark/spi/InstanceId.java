package io.tidemark.spi;

import java.util.Objects;

/**
 * The cloud's id of an instance.
 *
 * @param text such as {@code i-0123456789abcdef0}; never empty
 */
public record InstanceId(String text) implements Comparable<InstanceId> {
  public InstanceId {
    Objects.requireNonNull(text, "text");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("text is empty");
    }
  }

  @Override
  public int compareTo(InstanceId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
