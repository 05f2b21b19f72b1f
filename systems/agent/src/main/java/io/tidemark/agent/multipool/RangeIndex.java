package io.tidemark.agent.multipool;

import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Arrays;

/**
 * The positions of the addresses of disjoint ranges, one range after the other. Finding the range
 * of an address or a position takes the logarithm of their number.
 */
final class RangeIndex {
  private final IpFamily family;
  private final HostRange[] ranges;

  /** The first position of each range, and behind them the number of all. */
  private final int[] firstPositions;

  /** The first address of each range, ascending, and which range that is. */
  private final IpAddress[] firstAddresses;

  private final int[] ofAddress;

  RangeIndex(IpFamily family, HostRange[] ranges) {
    this.family = family;
    this.ranges = ranges;
    int count = ranges.length;
    firstPositions = new int[count + 1];
    for (int i = 0; i < count; i++) {
      firstPositions[i + 1] = firstPositions[i] + ranges[i].capacity();
    }
    Integer[] sorted = new Integer[count];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(sorted, (a, b) -> ranges[a].address(0).compareTo(ranges[b].address(0)));
    ofAddress = Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
    firstAddresses = new IpAddress[count];
    Arrays.setAll(firstAddresses, i -> ranges[ofAddress[i]].address(0));
  }

  int capacity() {
    return firstPositions[ranges.length];
  }

  /** The position of an address; -1 when no range has it. */
  int position(IpAddress ip) {
    if (ip.family() != family) {
      return -1;
    }
    int at = lastUpTo(Arrays.binarySearch(firstAddresses, ip));
    if (at < 0) {
      return -1;
    }
    int range = ofAddress[at];
    int position = ranges[range].position(ip);
    return position < 0 ? -1 : firstPositions[range] + position;
  }

  IpAddress address(int position) {
    int range = rangeOf(position);
    return ranges[range].address(position - firstPositions[range]);
  }

  int rangeOf(int position) {
    return lastUpTo(Arrays.binarySearch(firstPositions, position));
  }

  int firstPosition(int range) {
    return firstPositions[range];
  }

  private static int lastUpTo(int found) {
    return found >= 0 ? found : -found - 2;
  }
}
