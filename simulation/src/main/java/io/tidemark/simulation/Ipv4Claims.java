package io.tidemark.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Who claims which IPv4 address, made to be filled again and again. Open addressing. */
final class Ipv4Claims {
  private int[] addresses = new int[1024];
  private int[] rounds = new int[1024];
  private @Nullable String[] claimants = new @Nullable String[1024];
  private int round = 1;
  private int size;

  /** Forgets all claims. */
  void clear() {
    round++;
    size = 0;
  }

  /** Notes a claim; answers who had claimed the address before, null for nobody. */
  @Nullable String claim(int address, String claimant) {
    int at = slot(address);
    if (rounds[at] == round) {
      return claimants[at];
    }
    addresses[at] = address;
    rounds[at] = round;
    claimants[at] = claimant;
    if (++size * 2 > addresses.length) {
      grow();
    }
    return null;
  }

  private int slot(int address) {
    int mask = addresses.length - 1;
    int at = ((address * 0x9E3779B9) >>> 7) & mask;
    while (rounds[at] == round && addresses[at] != address) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    int[] oldAddresses = addresses;
    int[] oldRounds = rounds;
    @Nullable String[] oldClaimants = claimants;
    int length = oldAddresses.length * 2;
    addresses = new int[length];
    rounds = new int[length];
    claimants = Arrays.copyOf(new @Nullable String[0], length);
    for (int i = 0; i < oldAddresses.length; i++) {
      if (oldRounds[i] == round) {
        int at = slot(oldAddresses[i]);
        addresses[at] = oldAddresses[i];
        rounds[at] = round;
        claimants[at] = oldClaimants[i];
      }
    }
  }
}
