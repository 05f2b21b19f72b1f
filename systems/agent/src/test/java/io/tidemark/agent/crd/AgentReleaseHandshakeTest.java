package io.tidemark.agent.crd;

import static io.tidemark.agent.TestNode.granted;
import static io.tidemark.resource.HandshakeState.DO_NOT_RELEASE;
import static io.tidemark.resource.HandshakeState.MARKED_FOR_RELEASE;
import static io.tidemark.resource.HandshakeState.READY_FOR_RELEASE;
import static io.tidemark.resource.HandshakeState.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The agent's half of the release of an address")
class AgentReleaseHandshakeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final CrdWorld world = new CrdWorld();

  private void fourAddresses(String... pods) {
    world.object(CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4").build());
    world.start(pods);
    world.pass(CrdWorld.RATE);
  }

  /** The agent has just written, so that the next write waits for the interval. */
  private void busy() {
    world.pass(CrdWorld.RATE);
    world.release("10.0.0.1");
    world.take("10.0.0.1", "again");
    world.pass(SECOND);
  }

  private void pool(String... ips) {
    AddressSet.Builder all = AddressSet.builder();
    for (String each : ips) {
      all.add(IpAddress.parse(each));
    }
    Map<String, AddressSet> pool = ips.length == 0 ? Map.of() : Map.of("eni-1", all.build());
    world.edit(node -> node.withPool(PodIpPool.of(pool)));
  }

  @Test
  @DisplayName("A36 A marked address is refused and answered ready; one in use is answered no")
  void marked() {
    fourAddresses("10.0.0.1", "10.0.0.2", "10.0.0.3");
    busy();
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    assertThat(world.refused("10.0.0.4"))
        .isEqualTo(Denial.inReleaseHandshake(IpAddress.parse("10.0.0.4"), MARKED_FOR_RELEASE));
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    assertThat(world.state("10.0.0.4")).contains(MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).contains(READY_FOR_RELEASE);
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.mark("10.0.0.3", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.3")).contains(DO_NOT_RELEASE);
    assertThat(world.state("10.0.0.4")).contains(READY_FOR_RELEASE);
  }

  @Test
  @DisplayName("A37 A mark for an address that the node does not have is refused")
  void notOurs() {
    fourAddresses();
    world.mark("10.0.0.9", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.9")).contains(DO_NOT_RELEASE);
  }

  @Test
  @DisplayName("A38 The entry of a released address goes once the address has left the pool")
  void releasedAndAbsent() {
    fourAddresses();
    world.mark("10.0.0.4", RELEASED);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).contains(RELEASED);
    pool("10.0.0.1");
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).isEmpty();
  }

  @Test
  @DisplayName("A38 A released address in the pool is the node's again after a grace period")
  void releasedAndPresent() {
    fourAddresses();
    world.mark("10.0.0.4", RELEASED);
    world.pass(CrdWorld.GRACE.minus(SECOND));
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.pass(SECOND);
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).isEmpty();
  }

  @Test
  @DisplayName("A38 The grace period begins when the status lists the address under an interface")
  void releasedAndNotListed() {
    fourAddresses();
    Map<String, EniStatus.Eni> listed = world.now().eniStatus().orElseThrow().enis();
    world.edit(
        node ->
            node.withEniStatus(
                    new EniStatus(
                        new TreeMap<>(Map.of("eni-1", Samples.eni("eni-1", 1, "10.0.0.1")))))
                .withReleaseIps(CrdWorld.marks(node, "10.0.0.4", RELEASED)));
    world.pass(CrdWorld.GRACE.multipliedBy(3).plus(SECOND));
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.edit(node -> node.withEniStatus(new EniStatus(new TreeMap<>(listed))));
    world.pass(SECOND);
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.pass(CrdWorld.GRACE.multipliedBy(2));
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
  }

  @Test
  @DisplayName("A38 In mode crd no status says that a released address is here; only absence does")
  void releasedInModeCrd() {
    world.mode = CrdMode.CRD;
    fourAddresses();
    world.mark("10.0.0.4", RELEASED);
    world.pass(CrdWorld.GRACE.multipliedBy(3));
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    pool("10.0.0.1");
    world.pass(SECOND);
    pool("10.0.0.1", "10.0.0.4");
    world.pass(SECOND);
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
  }

  @Test
  @DisplayName("A38 The grace period begins anew after the object had no pool, and nothing spins")
  void releasedAndNoPool() {
    fourAddresses();
    world.mark("10.0.0.4", RELEASED);
    pool();
    world.pass(CrdWorld.GRACE.multipliedBy(2)); // would be a livelock of the virtual time
    pool("10.0.0.1", "10.0.0.4");
    world.pass(CrdWorld.GRACE.minus(SECOND));
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.pass(SECOND);
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
  }

  @Test
  @DisplayName("A38 A released address that was away and is back is the node's at once")
  void releasedAndBack() {
    fourAddresses();
    world.mark("10.0.0.4", RELEASED);
    busy();
    pool("10.0.0.1", "10.0.0.2", "10.0.0.3");
    pool("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
    assertThat(world.state("10.0.0.4")).as("not answered yet").contains(RELEASED);
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).isEmpty();
  }

  @ParameterizedTest(name = "A39 {0}")
  @EnumSource(names = {"READY_FOR_RELEASE", "DO_NOT_RELEASE"})
  @DisplayName("A39 An entry that is answered is left alone, without a write")
  void answered(HandshakeState state) {
    fourAddresses();
    long writes = world.writes();
    world.mark("10.0.0.4", state);
    world.pass(CrdWorld.GRACE);
    assertThat(world.state("10.0.0.4")).contains(state);
    assertThat(world.writes()).isEqualTo(writes);
    boolean free = state == DO_NOT_RELEASE;
    assertThat(world.pool().counts().available()).isEqualTo(free ? 4 : 3);
  }

  @Test
  @DisplayName("A promise ends when the operator withdraws its mark, or the pool refuses it")
  void withdrawn() {
    fourAddresses();
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    world.withdraw("10.0.0.4");
    assertThat(world.take("10.0.0.4", "a").ip()).hasToString("10.0.0.4");
  }

  @Test
  @DisplayName("NM-J5 With an empty pool nothing is answered, and no promise is forgotten")
  void emptyPool() {
    fourAddresses();
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    world.edit(
        node ->
            node.withPool(PodIpPool.EMPTY)
                .withReleaseIps(CrdWorld.marks(node, "10.0.0.9", MARKED_FOR_RELEASE)));
    world.pass(CrdWorld.GRACE);
    assertThat(world.state("10.0.0.9")).contains(MARKED_FOR_RELEASE);
    pool("10.0.0.4");
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
  }

  @Test
  @DisplayName("I8 A promise holds over a restart, because the object says it")
  void restart() {
    fourAddresses();
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    world.crash();
    world.start("10.0.0.1");
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
    assertThat(world.next("a").ip().toString()).isIn("10.0.0.2", "10.0.0.3");
  }

  @Test
  @DisplayName(
      "A50 Before everything is restored no mark is answered, and a marked address is restored")
  void beforeRestoration() {
    world.object(
        CrdWorld.sample("10.0.0.1", "10.0.0.2")
            .releaseIp("10.0.0.1", MARKED_FOR_RELEASE)
            .releaseIp("10.0.0.2", MARKED_FOR_RELEASE)
            .build());
    world.begin();
    world.pass(CrdWorld.GRACE);
    assertThat(world.state("10.0.0.1")).contains(MARKED_FOR_RELEASE);
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    granted(world.ipam().restore(IpAddress.parse("10.0.0.1"), "a", CrdWorld.POOL));
    world.finish();
    assertThat(world.state("10.0.0.1")).contains(DO_NOT_RELEASE);
    assertThat(world.state("10.0.0.2")).contains(READY_FOR_RELEASE);
  }

  @Test
  @DisplayName("A78 A cooling address is published as in use, and a mark for it is refused")
  void cooling() {
    world.cooling = new CoolingRule(Duration.ofSeconds(130), Duration.ZERO);
    fourAddresses("10.0.0.1");
    world.release("10.0.0.1");
    world.pass(CrdWorld.RATE);
    assertThat(world.used()).containsEntry("10.0.0.1", new UsedAddress("cooling", "eni-1"));
    world.mark("10.0.0.1", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.1")).contains(DO_NOT_RELEASE);
    world.withdraw("10.0.0.1");
    world.pass(Duration.ofSeconds(130).plus(CrdWorld.RATE));
    assertThat(world.pool().counts().available()).isEqualTo(4);
    assertThat(world.used()).as("the pause has ended").isEmpty();
  }

  @Test
  @DisplayName("An address is promised at the moment in which it is looked at, in use or not")
  void oneDecision() {
    fourAddresses("10.0.0.4", "10.0.0.1");
    busy();
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.release("10.0.0.4");
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).contains(READY_FOR_RELEASE);
    assertThat(world.refused("10.0.0.4").code()).isEqualTo(AgentError.IN_RELEASE_HANDSHAKE);
  }

  @Test
  @DisplayName("A36 An address whose pause is over is answered ready, though nobody asked since")
  void pauseIsOver() {
    world.cooling = new CoolingRule(Duration.ofSeconds(40), Duration.ZERO);
    fourAddresses("10.0.0.4");
    world.release("10.0.0.4");
    world.pass(Duration.ofSeconds(39));
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).contains(DO_NOT_RELEASE);
    world.mark("10.0.0.4", MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state("10.0.0.4")).contains(READY_FOR_RELEASE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("A36 An address in use that was marked and refused stays its owner's alone")
  void refusedStaysInUse(boolean specific) {
    fourAddresses();
    String ip =
        specific ? world.take("10.0.0.2", "a").ip().toString() : world.next("a").ip().toString();
    world.mark(ip, MARKED_FOR_RELEASE);
    world.pass(CrdWorld.RATE);
    assertThat(world.state(ip)).contains(DO_NOT_RELEASE);
    world.withdraw(ip);
    for (String other : List.of("b", "c", "d")) {
      assertThat(world.next(other).ip()).isNotEqualTo(IpAddress.parse(ip));
    }
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
  }

  private static AgentReleaseHandshake.Step observe(
      AgentReleaseHandshake before, String pool, Map<String, HandshakeState> wire, long now) {
    AddressSet.Builder addresses = AddressSet.builder();
    List.of(pool.split(" ")).stream()
        .filter(each -> !each.isEmpty())
        .forEach(each -> addresses.add(IpAddress.parse(each)));
    TreeMap<IpAddress, HandshakeState> entries = new TreeMap<>();
    wire.forEach((ip, state) -> entries.put(IpAddress.parse(ip), state));
    return before.observe(
        new AgentReleaseHandshake.Sight(
            addresses.build(), pool.isEmpty(), entries, ip -> true, ip -> false, true),
        SECOND,
        now);
  }

  @Test
  @DisplayName("A38 The grace that ends first is due, and an empty pool forgets no absence")
  void memory() {
    Map<String, HandshakeState> one = Map.of("10.0.0.2", RELEASED);
    Map<String, HandshakeState> both = Map.of("10.0.0.1", RELEASED, "10.0.0.2", RELEASED);
    String pool = "10.0.0.1 10.0.0.2";
    AgentReleaseHandshake first = observe(AgentReleaseHandshake.NONE, pool, one, 5).next();
    AgentReleaseHandshake second = observe(first, pool, both, 9).next();
    assertThat(second.nextDueNanos(SECOND)).hasValue(SECOND.toNanos() + 5);

    AgentReleaseHandshake absent = observe(second, "10.0.0.1", one, 10).next();
    assertThat(absent.phases())
        .isEqualTo(Map.of(IpAddress.parse("10.0.0.2"), AgentReleaseHandshake.Phase.GONE));
    assertThat(absent.nextDueNanos(SECOND)).isEmpty();
    AgentReleaseHandshake nothing = observe(absent, "", one, 11).next();
    AgentReleaseHandshake.Step back = observe(nothing, pool, one, 12);
    assertThat(back.answers()).as("seen absent before").isEmpty();
    assertThat(back.withheld()).isEmpty();
  }
}
