package io.tidemark.spi;

import java.util.Objects;

/**
 * Where addresses come from, a subnet id in most clouds.
 *
 * @param text such as {@code subnet-1}; never empty
 */
public record PoolId(String text) implements Comparable<PoolId> {
  public PoolId {
    Objects.requireNonNull(text, "text");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("text is empty");
    }
  }

  @Override
  public int compareTo(PoolId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
