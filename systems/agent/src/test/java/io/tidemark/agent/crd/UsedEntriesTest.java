package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.UsedAddress;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The entries of status.ipam.used as they are to be")
class UsedEntriesTest {
  private static IpAddress ip(int number) {
    return IpAddress.parse("10.0.0.0").plus(number);
  }

  private static SortedMap<IpAddress, UsedAddress> entries(Object... numbersAndOwners) {
    SortedMap<IpAddress, UsedAddress> entries = new TreeMap<>();
    for (int i = 0; i < numbersAndOwners.length; i += 2) {
      entries.put(
          ip((int) numbersAndOwners[i]), new UsedAddress((String) numbersAndOwners[i + 1], "eni"));
    }
    return entries;
  }

  @Test
  @DisplayName("When nothing differs they are the object's own")
  void same() {
    SortedMap<IpAddress, UsedAddress> before = entries(1, "a", 3, "b");
    UsedEntries used = new UsedEntries(before);
    used.add(ip(1), "a", "eni");
    used.add(ip(3), "b", "");
    assertThat(used.all()).isSameAs(before);
  }

  @Test
  @DisplayName("One that left the pool keeps its interface; one that the object lacks has none")
  void withoutInterface() {
    UsedEntries used = new UsedEntries(entries(0, "gone", 1, "a"));
    used.add(ip(1), "b", "");
    used.add(ip(2), "c", "");
    assertThat(used.all())
        .isEqualTo(Map.of(ip(1), new UsedAddress("b", "eni"), ip(2), new UsedAddress("c", "")));
  }

  @Test
  @DisplayName("They are what was added, whatever the object had before")
  void anyDifference() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      SortedMap<IpAddress, UsedAddress> before = random(random);
      SortedMap<IpAddress, UsedAddress> wanted = random(random);
      UsedEntries used = new UsedEntries(before);
      wanted.forEach((ip, entry) -> used.add(ip, entry.owner(), entry.resource()));
      assertThat(used.all()).isEqualTo(wanted);
    }
  }

  private static SortedMap<IpAddress, UsedAddress> random(Random random) {
    SortedMap<IpAddress, UsedAddress> entries = new TreeMap<>();
    for (int number = 0; number < 8; number++) {
      if (random.nextBoolean()) {
        entries.put(
            ip(number), new UsedAddress("pod-" + random.nextInt(2), "eni-" + random.nextInt(2)));
      }
    }
    return entries;
  }
}
