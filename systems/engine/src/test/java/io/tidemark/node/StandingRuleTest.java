package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Which word describes how a node stands")
class StandingRuleTest {
  private static final EngineConfig KEEPS = EngineConfig.defaults();
  private static final EngineConfig RELEASES = KEEPS.releasingAfter(Duration.ofSeconds(5));

  private static NodeStatus standing(
      EngineConfig config,
      int needed,
      int excess,
      Optional<Blocked> blocked,
      Optional<Blocked> matter,
      ReleaseHandshake handshake,
      boolean cidrs,
      int unwritten) {
    return NodeStatus.of(
        config,
        new NodeStatistics(8, 0, 27, needed, excess, 1, 1, 0),
        new PodCapacity(27, java.util.OptionalInt.empty()),
        blocked,
        matter,
        handshake,
        cidrs,
        unwritten,
        true);
  }

  private static ReleaseHandshake marked() {
    return ReleaseHandshake.UNADOPTED
        .adopt(new TreeMap<>(), address -> true, 0)
        .candidates(AddressSet.of(IpAddress.parse("10.0.0.1")), Set.of(), 0, 0);
  }

  @DisplayName(
      "a blockade comes first, then what is missing at the instance or in the object, then what is"
          + " given back")
  @ParameterizedTest(
      name = "needed {0} excess {1} blocked {2} releases {3} handshake {4} cidrs {5} unwritten {6}")
  @CsvSource({
    "0, 0,                     , true,  false, false, 0, OK",
    "1, 0,                     , true,  false, false, 0, FILLING",
    "0, 0,                     , true,  false, false, 1, FILLING",
    "0, 4,                     , true,  true,  false, 1, FILLING",
    "0, 0, NO_SUBNET,            true,  false, false, 1, BLOCKED",
    "1, 4,                     , true,  true,  true,  0, FILLING",
    "0, 1,                     , true,  false, false, 0, RELEASING",
    "0, 1,                     , false, false, false, 0, OK",
    "0, 0,                     , true,  true,  false, 0, RELEASING",
    "0, 0,                     , false, true,  false, 0, RELEASING",
    "0, 0,                     , false, false, true,  0, RELEASING",
    "1, 0, NO_SUBNET,            true,  false, false, 0, BLOCKED",
    "0, 3, NO_SUBNET,            true,  true,  true,  0, BLOCKED",
    "1, 0, INSTANCE_NOT_RUNNING, true,  false, false, 0, NOT_RUNNING",
    "1, 0, BACKING_OFF,          true,  false, false, 0, FILLING",
    "0, 0, BACKING_OFF,          true,  false, false, 0, FILLING",
    "0, 3, READING_BACK,         true,  true,  false, 0, FILLING",
  })
  void states(
      int needed,
      int excess,
      BlockedReason reason,
      boolean releases,
      boolean handshake,
      boolean cidrs,
      int unwritten,
      NodeState expected) {
    NodeStatus standing =
        standing(
            releases ? RELEASES : KEEPS,
            needed,
            excess,
            Optional.ofNullable(reason).map(each -> new Blocked(each, "detail")),
            Optional.empty(),
            handshake ? marked() : ReleaseHandshake.NONE,
            cidrs,
            unwritten);
    assertThat(standing.state()).isEqualTo(expected);
  }

  @Test
  @DisplayName("why it cannot go on is reported before what a person must look after")
  void reason() {
    Optional<Blocked> why = Optional.of(new Blocked(BlockedReason.NO_SUBNET, "none fits"));
    Optional<Blocked> matter = Optional.of(new Blocked(BlockedReason.USED_ADDRESS_GONE, "one"));
    assertThat(standing(KEEPS, 0, 0, why, matter, ReleaseHandshake.NONE, false, 0).reason())
        .isEqualTo(why);
    NodeStatus open =
        standing(KEEPS, 0, 0, Optional.empty(), matter, ReleaseHandshake.NONE, false, 0);
    assertThat(open.reason()).isEqualTo(matter);
    assertThat(open.state()).isEqualTo(NodeState.OK);
  }

  @Test
  @DisplayName("it says how many addresses stand where in the object, and what it waits for")
  void counts() {
    NodeStatus standing =
        standing(RELEASES, 0, 1, Optional.empty(), Optional.empty(), marked(), false, 0);
    assertThat(standing.handshakes()).isEqualTo(Map.of(HandshakeState.MARKED_FOR_RELEASE, 1));
    assertThat(standing.waiting()).isTrue();
    assertThat(standing.statistics().available()).isEqualTo(8);
    assertThat(standing.pods().addresses()).isEqualTo(27);
  }
}
