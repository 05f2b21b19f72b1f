package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The release handshake from end to end (node-manager 4)")
class HandshakeFlowTest {
  private static final IpAddress LAST = IpAddress.parse("10.16.4.9");

  private final EngineConfig releasing =
      EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2));

  static Stream<Arguments> restarts() {
    List<Arguments> cases = new ArrayList<>();
    List<Optional<HandshakeState>> states = new ArrayList<>(List.of(Optional.empty()));
    Stream.of(HandshakeState.values()).map(Optional::of).forEach(states::add);
    for (Optional<HandshakeState> state : states) {
      for (boolean attached : List.of(true, false)) {
        for (boolean surplus : List.of(true, false)) {
          cases.add(Arguments.of(state.map(HandshakeState::wire).orElse(""), attached, surplus));
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "F-10 entry \"{0}\", attached {1}, surplus {2}")
  @MethodSource("restarts")
  @DisplayName("F-10 D-6 a restart in each state: nothing unattached is usable, no entry is stuck")
  void restart(String entry, boolean attached, boolean surplus) {
    NodeWorld world = NodeWorld.idle(releasing);
    ScriptedNode node = world.provider.prepared("node1");
    AddressSet others = AddressSet.ofRange(Cidr.parse("10.16.4.0/29"));
    node.attach(attached ? others.plus(LAST) : others, List.of());
    NodeSample sample =
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(surplus ? 8 : 9)
            .pool("eni-node1", others.plus(LAST));
    HandshakeState.ofWire(entry).ifPresent(state -> sample.releaseIp(LAST.toString(), state));
    world.create(sample.build());
    List<String> unusableInUse = new ArrayList<>();
    world.time.afterEachStep(
        () -> {
          boolean written = world.requests.contains("UPDATE_STATUS node1");
          if (written || world.requests.isEmpty()) {
            usableButUnattached(world, node).forEach(a -> addIf(written, unusableInUse, a));
          }
        });
    world.start();
    for (int i = 0; i < 100; i++) {
      world.run(Duration.ofMillis(200));
      world.agentActs("node1");
    }
    assertEquals(List.of(), unusableInUse, "an agent could have handed them out");
    assertEquals(Map.of(), world.resource("node1").releaseIps(), "no entry is stuck");
    assertEquals(!surplus && attached, world.resource("node1").pool().contains(LAST));
    assertEquals(surplus ? 8 : 9, world.resource("node1").pool().size());
    world.assertSettled("node1");
  }

  private static void addIf(boolean condition, List<String> list, IpAddress address) {
    if (condition) {
      list.add(address.toString());
    }
  }

  private static Set<IpAddress> usableButUnattached(NodeWorld world, ScriptedNode node) {
    NodeResource stored = world.resource("node1");
    Set<IpAddress> wrong = new TreeSet<>();
    for (IpAddress address : stored.pool().addresses().minus(node.singles())) {
      HandshakeState state = stored.releaseIps().get(address);
      if (state == null || state == HandshakeState.DO_NOT_RELEASE) {
        wrong.add(address);
      }
    }
    return wrong;
  }

  @DisplayName(
      "4.4 D-5 D-6 D-7 D-20 F-20 F-21 NM-J5 marks, answers and releases are acted on and published at once")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D-6 an unassigned address stays released until the pool was written without it \
            | surplus 2; 4s; answers UPDATE failed; acts; 1s; is 8/0; acts; 1s; marks released; \
              pool 10; acts; 1s; marks released; pool 10; acts; 18s; marks released; pool 10; \
              usual; 1m; acts; 1s; pool 8; marks; settled
          F-21 D-20 a pass that only marks, or only calls off, is published without a scan \
            | surplus 2; 1900ms; scans 2; marks; 200ms; marks marked-for-release; use 2; 50ms; \
              marks; scans 2
          4.4 an acknowledgement is acted on at once, not at the next scan \
            | surplus 2; 3s; acknowledges; 100ms; is 8/0; pool 8; marks released; scans 2
          4.5 f a release that fails keeps its state and is tried again after a pause \
            | surplus 2; 3s; keeps; acknowledges; 300ms; marks ready-for-release; \
              metric RELEASE_DURATION releaseIP failed global=1.0; 3s; is 8/0; released 2
          a release whose answer is lost: read back first, what is gone becomes released \
            | surplus 2; 3s; losesRelease 2; readShows; acknowledges; 5s; released 1; reads 1; \
              is 8/0; marks released; pool 8
          NM-J5 a pool that shrinks to nothing still finishes once addresses come back \
            | surplus 1; 4s; marks marked-for-release; blocked SUBNET_EXHAUSTED; attached -; \
              resync; 1s; pool 0; marks released; unblocked; maintain; 1s; acts; 1s; pool 8; marks
          D-6 a ready entry that is still surplus is released at once after a restart (N13) \
            | attached 12345; create p=4 P=12345 r=5; start; 500ms; released 1; gave 5
          D-5 an answer that stood in the object before our mark releases nothing \
            | surplus 1; 1900ms; meanwhile UPDATE_STATUS putsLast ready-for-release; 8s; \
              marks marked-for-release; released 0; acknowledges; 1s; released 1
          D-6 a ready entry of another operator is acted on once that one has been quiet \
            | surplus 1; 1s; putsLast ready-for-release; 1s; why SECOND_OWNER; released 0; 2m; \
              released 1; marks released
          D-5 use is looked at again when the token has come, just before the call \
            | surplus 2; 3s; hold; acknowledges; 1s; waiting 1; usesLast 1; 1s; grant; 1s; spared
          D-5 use counts from the moment the watch shows it, before the node has taken it up \
            | surplus 2; 3s; hold; acknowledges; 1s; usesLast 1; grant; 1s; spared
          F-20 D-7 fifteen of sixteen acknowledged: the block stays, the fifteen are usable \
            | inBlocks; attached 12345B; create p=5; start; 4s; entries 16; acknowledges 15; \
              refuses; 1s; released 0; entries 0; 3s; acknowledges; 1s; gave B; is 5/0; \
              metric RELEASE_DURATION releaseIPPrefixes success global=1.0; \
              value IP_RELEASE_OPS global 16
          """)
  void story(String what, String story) {
    NodeStory.run(releasing, what, story);
  }
}
