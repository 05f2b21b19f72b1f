package io.tidemark.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Values that providers work with (node-manager 1.6, 10.4)")
class ProviderValuesTest {
  private static final InstanceId ONE = new InstanceId("i-1");
  private static final InstanceId TWO = new InstanceId("i-2");
  private static final InstanceId UNKNOWN = new InstanceId("i-unknown");

  @ParameterizedTest(name = "required {0}={1} -> {2}")
  @CsvSource({"1, 1, true", "2, 2, true", "3, 3, false", "1, 2, false"})
  @DisplayName("C-37 tags match what they hold with the same value")
  void tags(String key, String value, boolean matches) {
    assertEquals(matches, new Tags(Map.of("1", "1", "2", "2")).matches(Map.of(key, value)));
  }

  @Test
  @DisplayName("C-37 every required pair counts, and no requirement matches everything")
  void allTags() {
    Tags tags = new Tags(Map.of("1", "1", "2", "2"));
    assertThat(tags).matches(it -> it.matches(Map.of("1", "1", "2", "2")), "has both");
    assertThat(tags).matches(it -> it.matches(Map.of("2", "2")), "has the second");
    assertThat(tags).matches(it -> !it.matches(Map.of("1", "1", "3", "3")), "has no third");
    assertThat(tags).matches(it -> !it.matches(Map.of("1", "2")), "has another first");
    assertThat(tags).matches(it -> it.matches(Map.of()), "has what nobody asks for");
    assertThat(new Tags(Map.of())).matches(it -> it.matches(Map.of()), "needs none");
  }

  private static AttachedInterface attached(String id, String... addresses) {
    return new AttachedInterface(
        new InterfaceId(id),
        AddressSet.copyOf(Arrays.stream(addresses).map(IpAddress::parse).toList()),
        List.of());
  }

  private static int addresses(InstanceMap map, InstanceId id) {
    return map.find(id).orElseThrow().interfaces().values().stream()
        .mapToInt(AttachedInterface::size)
        .sum();
  }

  @Test
  @DisplayName("C-38 instances, their interfaces and addresses")
  void instanceMap() {
    InstanceMap map = new InstanceMap();
    AttachedInterface first = attached("eni-1", "10.0.0.1", "10.0.0.2");
    map.update(ONE, first, 1);
    map.update(TWO, attached("eni-2", "10.0.0.3", "10.0.0.4"), 1);
    assertEquals(List.of(ONE, TWO), List.copyOf(map.ids()));
    assertEquals(4, map.ids().stream().mapToInt(id -> addresses(map, id)).sum());
    assertEquals(2, addresses(map, ONE));
    assertEquals(
        2, map.ids().stream().mapToInt(id -> map.find(id).orElseThrow().interfaces().size()).sum());

    InterfaceId unknown = new InterfaceId("eni-unknown");
    assertEquals(Optional.empty(), map.find(UNKNOWN, unknown));
    assertEquals(Optional.empty(), map.find(ONE, unknown));
    assertEquals(Optional.empty(), map.find(UNKNOWN, first.id()));
    assertSame(first, map.find(ONE, first.id()).orElseThrow());
    assertEquals(Optional.empty(), map.find(UNKNOWN), "no id stands for all");

    map.update(TWO, attached("eni-3"), 1);
    assertEquals(2, map.size(), "instances, not interfaces");
    InstanceMap copy = map.copy();
    map.delete(ONE);
    map.delete(UNKNOWN);
    assertFalse(map.exists(ONE), "it was deleted");
    assertTrue(copy.exists(ONE), "a copy keeps what was deleted later");
    map.updateInstance(TWO, List.of(), 2);
    assertEquals(0, addresses(map, TWO));
    assertEquals(2, addresses(copy, TWO));
  }

  @Test
  @DisplayName("NM-L4 an instance is replaced by generation: older knowledge never wins")
  void generations() {
    InstanceMap map = new InstanceMap();
    assertTrue(
        map.updateInstance(ONE, List.of(attached("eni-1", "10.0.0.1")), 5), "the first is taken");
    InstanceMap.Snapshot before = map.find(ONE).orElseThrow();
    assertFalse(map.updateInstance(ONE, List.of(), 4), "4 is older than 5");
    assertFalse(map.update(ONE, attached("eni-9"), 4), "4 is older than 5, of one interface too");
    assertSame(before, map.find(ONE).orElseThrow());
    assertTrue(map.update(ONE, attached("eni-2", "10.0.0.2"), 6), "6 is newer than 5");
    assertEquals(1, before.interfaces().size(), "a snapshot does not change");
    assertEquals(2, addresses(map, ONE));
  }

  @Test
  @Timeout(60)
  @DisplayName("NM-L4 NM-L7 many writers and readers: generations only rise, snapshots are whole")
  void concurrently() throws InterruptedException {
    InstanceMap map = new InstanceMap();
    map.updateInstance(ONE, List.of(), 0);
    int writers = 3;
    int rounds = 2_000;
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(writers + 1);
    ExecutorService threads = Executors.newFixedThreadPool(writers + 1);
    try {
      for (int w = 0; w < writers; w++) {
        int writer = w;
        threads.execute(
            () -> {
              for (int i = 1; i <= rounds; i++) {
                long generation = (long) i * writers + writer;
                // A whole snapshot holds as many interfaces as its generation says.
                map.updateInstance(ONE, interfaces((int) (generation % 4)), generation);
              }
              done.countDown();
            });
      }
      threads.execute(
          () -> {
            long last = 0;
            for (int i = 0; i < 20_000; i++) {
              InstanceMap.Snapshot now = map.find(ONE).orElseThrow();
              boolean whole = now.interfaces().size() == now.generation() % 4;
              if (now.generation() < last || !whole) {
                wrong.incrementAndGet();
              }
              last = now.generation();
            }
            done.countDown();
          });
      assertTrue(done.await(50, TimeUnit.SECONDS), () -> done + " threads have not ended");
    } finally {
      threads.shutdownNow();
    }
    assertEquals(0, wrong.get());
    assertEquals((long) rounds * writers + writers - 1, map.find(ONE).orElseThrow().generation());
  }

  private static List<AttachedInterface> interfaces(int count) {
    return List.of(attached("eni-1"), attached("eni-2"), attached("eni-3")).subList(0, count);
  }

  private static SubnetMap subnets(int... free) {
    TreeMap<PoolId, PoolQuota> quotas = new TreeMap<>();
    for (int i = 0; i < free.length; i++) {
      quotas.put(new PoolId("s" + i), new PoolQuota("zone-a", free[i], 0));
    }
    return new SubnetMap(quotas);
  }

  private static String first(SubnetMap map, String... preferred) {
    return map.firstSubnetWithAvailableAddresses(Arrays.stream(preferred).map(PoolId::new).toList())
        .map(choice -> choice.subnet() + " " + choice.availableIps())
        .orElse("none");
  }

  @Test
  @DisplayName("C-39 the first preferred subnet with room, else the first with room")
  void firstSubnet() {
    assertEquals("s1 1", first(subnets(0, 1, 0)));
    assertEquals("none", first(subnets(0, 0, 0)));
    assertEquals("s1 10", first(subnets(0, 10, 20), "s0", "s1"));
    assertEquals("s2 20", first(subnets(0, 10, 20), "s9", "s0", "s2"), "unknown and full ones");
    assertEquals("s1 10", first(subnets(0, 10, 20), "s0"), "none preferred has room");
  }
}
