package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The names of IP configurations: which are ours, and new ones (Z14, Z24, Z27, Z30). Thread-safe.
 */
final class ConfigurationNames {
  /** Without vowels and without what looks alike, so that a name spells nothing. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int LENGTH = 8;
  private static final String BLOCK = "b-";

  private final String prefix;
  private final List<String> ours;
  private final RandomGenerator random;

  /**
   * Names with a prefix.
   *
   * @param prefix of new ones, with its last character such as {@code Tidemark-}
   */
  ConfigurationNames(String prefix, RandomGenerator random) {
    this.prefix = prefix;
    this.ours =
        List.of(lower(prefix), "tidemark-", "cilium-"); // the last one of clusters taken over
    this.random = random;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Whether a configuration of this name was made by this operator or one like it. */
  boolean isOurs(String name) {
    return ours.stream().anyMatch(lower(name)::startsWith);
  }

  /** Whether a configuration of this name was made to be a block. */
  boolean isBlock(String name) {
    return ours.stream().anyMatch(each -> lower(name).startsWith(each + BLOCK));
  }

  /** New configurations: blocks first. */
  List<NewConfiguration> draw(int blocks, int singles) {
    List<NewConfiguration> drawn = new ArrayList<>(blocks + singles);
    for (int i = 0; i < blocks + singles; i++) {
      boolean block = i < blocks;
      drawn.add(new NewConfiguration(prefix + (block ? BLOCK : "") + text(), block));
    }
    return drawn;
  }

  private synchronized String text() {
    StringBuilder text = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
