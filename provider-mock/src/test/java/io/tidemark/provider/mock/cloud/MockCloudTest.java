package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.NeverAnswers;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The mock cloud")
class MockCloudTest {
  private static final AddressSet NONE = AddressSet.of();

  private final VirtualTime time = new VirtualTime(1_000);
  private final MockCloud cloud = cloud(Duration.ZERO, 0);

  /** A cloud with subnet-a 10.0.0.0/26 and a running m5.large, i-1. */
  private MockCloud cloud(Duration lag, double buckets, String... faults) {
    FaultPlan plan = CloudClient.plan(lag, faults);
    MockCloud made =
        new MockCloud(new CloudSettings(1, Map.of(), buckets, Duration.ofSeconds(30), plan), time);
    made.state().subnet(MockSubnet.of("subnet-a", "10.0.0.0/26"));
    made.state().launch("i-1", "m5.large", "subnet-a", Map.of());
    return made;
  }

  private static CloudClient on(MockCloud of) {
    return new CloudClient(of);
  }

  private static InterfaceId own(MockCloud of) {
    return of.state().attachedTo("i-1").get(0).id();
  }

  private static void assertRefused(Code code, ThrowingCallable request) {
    assertThat(catchThrowable(request))
        .isInstanceOfSatisfying(
            CloudException.class, answer -> assertThat(answer.code()).isEqualTo(code));
  }

  @Test
  @DisplayName("keeps the first four and the last address of a subnet for itself, and no other")
  void accounting() throws Exception {
    assertThat(cloud.state().subnet("subnet-a").free()).isEqualTo(64 - 5 - 1);
    assertThat(cloud.state().attachedTo("i-1").get(0).fixed().primary())
        .contains(IpAddress.parse("10.0.0.4"));
    cloud.state().launch("i-2", "m5.24xlarge", "subnet-a", Map.of());
    InterfaceId id = cloud.state().attachedTo("i-2").get(0).id();
    AttachedInterface rest = on(cloud).assign(id, 49, 0);
    assertThat(rest.singles().size()).isEqualTo(49);
    AttachedInterface last = on(cloud).assign(own(cloud), 8, 0);
    assertThat(last.singles().last(1)).containsExactly(IpAddress.parse("10.0.0.62"));
    assertThat(cloud.state().subnet("subnet-a").free()).isZero();
    assertRefused(Code.INSUFFICIENT_FREE_ADDRESSES, () -> on(cloud).assign(own(cloud), 1, 0));
    assertThatThrownBy(() -> cloud.state().launch("i-3", "m5.large", "subnet-a", Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    on(cloud).unassign(own(cloud), last.singles(), List.of());
    cloud.state().terminate("i-2");
    assertThat(cloud.state().subnet("subnet-a").free()).isEqualTo(64 - 5 - 1);
  }

  @Test
  @DisplayName("gives aligned blocks, and none in a subnet whose every /28 is touched")
  void blocks() throws Exception {
    assertThat(cloud.state().subnet("subnet-a").freeBlocks()).hasValue(2);
    assertThat(on(cloud).assign(own(cloud), 0, 2).blocks())
        .extracting(Cidr::toString)
        .containsExactly("10.0.0.16/28", "10.0.0.32/28");
    assertThat(cloud.state().subnet("subnet-a").free()).isEqualTo(64 - 5 - 1 - 32);
    assertRefused(Code.INSUFFICIENT_CIDR_BLOCKS, () -> on(cloud).assign(own(cloud), 0, 1));
    assertRefused(Code.INSUFFICIENT_CIDR_BLOCKS, () -> on(cloud).create(Map.of(), 0, 1, "t"));
    cloud.state().occupy("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.0.0/26")));
    on(cloud).unassign(own(cloud), NONE, List.of(Cidr.parse("10.0.0.16/28")));
    cloud.state().occupy("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.0.16/29")));
    cloud.state().occupy("subnet-a", AddressSet.ofRange(Cidr.parse("10.0.0.24/29")));
    assertRefused(Code.INSUFFICIENT_FREE_ADDRESSES, () -> on(cloud).create(Map.of(), 0, 0, "t"));
  }

  @Test
  @DisplayName("refuses more places and more interfaces than the instance type has")
  void limits() throws Exception {
    assertRefused(Code.ADDRESS_LIMIT, () -> on(cloud).assign(own(cloud), 10, 0));
    on(cloud).assign(own(cloud), 9, 0);
    assertRefused(Code.ADDRESS_LIMIT, () -> on(cloud).assign(own(cloud), 0, 1));
    InterfaceId full = on(cloud).create(Map.of(), 10, 0, "full").id();
    assertRefused(Code.ADDRESS_LIMIT, () -> on(cloud).attach(full, "i-1", 1));
    on(cloud).delete(full);
    for (int index = 1; index < 3; index++) {
      on(cloud).attach(on(cloud).create(Map.of(), 0, 0, "t" + index).id(), "i-1", index);
    }
    InterfaceId more = on(cloud).create(Map.of(), 0, 0, "more").id();
    assertRefused(Code.INVALID_PARAMETER, () -> on(cloud).assign(more, 1, 1));
    assertRefused(Code.INDEX_IN_USE, () -> on(cloud).attach(more, "i-1", 2));
    assertRefused(Code.INTERFACE_LIMIT, () -> on(cloud).attach(more, "i-1", 3));
    assertThat(InstanceLimits.of("never.heard-of")).isEqualTo(new InstanceLimits(4, 15, true));
    assertThat(InstanceLimits.of("c3.xlarge")).isEqualTo(new InstanceLimits(4, 15, false));
    assertThat(InstanceLimits.of("m5a.large")).isEqualTo(InstanceLimits.of("c5.large"));
    assertThat(InstanceLimits.of("c5.large")).isEqualTo(new InstanceLimits(3, 10, true));
  }

  @Test
  @DisplayName("makes one interface of a token, and lets only a loose one be attached or deleted")
  void interfaces() throws Exception {
    MockInterface made = on(cloud).create(Map.of(), 2, 0, "token");
    assertThat(on(cloud).create(Map.of(), 2, 0, "token")).isEqualTo(made);
    assertThat(cloud.state().attachedTo("")).containsExactly(made);
    assertRefused(Code.INSTANCE_NOT_FOUND, () -> on(cloud).attach(made.id(), "i-9", 1));
    cloud.state().running("i-1", false);
    assertRefused(Code.INCORRECT_STATE, () -> on(cloud).attach(made.id(), "i-1", 1));
    cloud.state().running("i-1", true);
    assertThat(on(cloud).attach(made.id(), "i-1", 1)).isEqualTo(made.at("i-1", 1));
    assertRefused(Code.INTERFACE_IN_USE, () -> on(cloud).attach(made.id(), "i-1", 2));
    assertRefused(Code.INTERFACE_IN_USE, () -> on(cloud).delete(made.id()));
    cloud.state().terminate("i-1");
    assertThat(cloud.state().all()).isEmpty();
    assertRefused(Code.INTERFACE_NOT_FOUND, () -> on(cloud).delete(made.id()));
    assertThat(cloud.state().subnet("subnet-a").free()).isEqualTo(64 - 5);
  }

  @ParameterizedTest(name = "{0}: {1}, done {2}")
  @DisplayName("does what a scripted fault says, to the request that it names")
  @CsvSource({
    "lost,                     IOException,    true",
    "lost-request,             IOException,    false",
    "hang,                     NeverAnswers,   false",
    "hang-done,                NeverAnswers,   true",
    "throttle,                 CloudException, false",
    "fail:InternalError,       CloudException, false",
    "terminated,               CloudException, false",
  })
  void faults(String fault, String thrown, boolean done) throws Exception {
    MockCloud bad = cloud(Duration.ZERO, 0, "AssignPrivateIpAddresses#2=" + fault);
    InterfaceId id = own(bad);
    assertThat(on(bad).assign(id, 1, 0).singles().size()).isEqualTo(1);
    assertThat(catchThrowable(() -> on(bad).assign(id, 1, 0)).getClass().getSimpleName())
        .isEqualTo(thrown);
    int held = bad.state().find(id).map(each -> each.singles().size()).orElse(0);
    assertThat(held).isEqualTo(fault.equals("terminated") ? 0 : done ? 2 : 1);
    assertThat(bad.calls()).containsEntry(CloudOperation.ASSIGN_ADDRESSES, 2L);
  }

  @Test
  @DisplayName("gives less than was asked for, or stops the instance, when a fault says so")
  void partialAndStopped() throws Exception {
    MockCloud bad =
        cloud(
            Duration.ZERO,
            0,
            "AssignPrivateIpAddresses#1=partial:2",
            "AttachNetworkInterface@i-1=stopped");
    assertThat(on(bad).assign(own(bad), 8, 0).singles().size()).isEqualTo(2);
    InterfaceId loose = on(bad).create(Map.of(), 0, 0, "t").id();
    assertRefused(Code.INCORRECT_STATE, () -> on(bad).attach(loose, "i-1", 1));
    assertThat(bad.state().isRunning("i-1")).contains(false);
  }

  @Test
  @DisplayName("gives each operation its burst and refill, scaled, and no more")
  void buckets() throws Exception {
    MockCloud limited = cloud(Duration.ZERO, 0.1);
    for (int i = 0; i < 10; i++) {
      on(limited).unassign(own(limited), NONE, List.of());
    }
    assertRefused(
        Code.REQUEST_LIMIT_EXCEEDED, () -> on(limited).unassign(own(limited), NONE, List.of()));
    on(limited).subnets();
    time.runUntil(time.nanos() + Duration.ofSeconds(4).toNanos());
    on(limited).unassign(own(limited), NONE, List.of());
    on(limited).unassign(own(limited), NONE, List.of());
    assertRefused(
        Code.REQUEST_LIMIT_EXCEEDED, () -> on(limited).unassign(own(limited), NONE, List.of()));
    assertThat(limited.throttled()).isEqualTo(Map.of(CloudOperation.UNASSIGN_ADDRESSES, 2L));
    limited.drainBucket(CloudOperation.DESCRIBE_SUBNETS, 100);
    assertRefused(Code.REQUEST_LIMIT_EXCEEDED, on(limited)::subnets);
  }

  @Test
  @DisplayName("answers reads as of an earlier instant, deleted and moved things included")
  void staleReads() throws Exception {
    MockCloud stale = cloud(Duration.ofSeconds(10), 0);
    InterfaceId id = own(stale);
    pass(11);
    on(stale).assign(id, 2, 0);
    InterfaceId loose = on(stale).create(Map.of(), 0, 0, "t").id();
    assertThat(on(stale).interfacesOf(List.of("i-1")).get(0).singles().isEmpty()).isTrue();
    assertThat(on(stale).interfaces(each -> each.id().equals(loose))).isEmpty();
    pass(10);
    assertThat(on(stale).interfacesOf(List.of("i-1")).get(0).singles().size()).isEqualTo(2);
    on(stale).attach(loose, "i-1", 1);
    stale.state().terminate("i-1");
    assertThat(on(stale).interfacesOf(List.of("i-1", "i-none"))).hasSize(1);
    assertThat(on(stale).interfaces(each -> !each.isAttached())).hasSize(1);
    pass(10);
    assertThat(on(stale).interfaces(each -> true)).isEmpty();
    stale.state().launch("i-2", "m5.large", "subnet-a", Map.of());
    pass(20);
    stale.state().terminate("i-2");
    assertThat(stale.state().attached).as("no more than a read can see").containsOnlyKeys("i-2");
  }

  @Test
  @DisplayName("adopts no address that somebody has, and none that nobody can have")
  void adoptsFree() {
    cloud.state().occupy("subnet-a", AddressSet.of(IpAddress.parse("10.0.0.9")));
    assertThat(adopt("10.0.0.8", "10.0.0.9")).contains(new CloudState.Held("address 10.0.0.9", ""));
    assertThat(adopt("10.0.0.8", "10.0.0.8")).contains(new CloudState.Held("address 10.0.0.8", ""));
    assertThat(adopt("10.0.0.8", "10.0.0.4"))
        .contains(new CloudState.Held("address 10.0.0.4", "i-1"));
    assertThatThrownBy(() -> adopt("10.0.0.8", "10.0.0.3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("10.0.0.3 is no address of subnet-a 10.0.0.0/26");
    assertThat(cloud.state().subnet("subnet-a").free()).isEqualTo(64 - 5 - 2);
  }

  /** Adopts an instance with an interface for each of these addresses. */
  private Optional<CloudState.Held> adopt(String... addresses) {
    MockInterface.Fixed wanted = new MockInterface.Fixed("", List.of(), Map.of());
    PoolId subnet = new PoolId("subnet-a");
    List<MockInterface> all = new ArrayList<>();
    for (String each : addresses) {
      InterfaceId id = new InterfaceId("eni-" + all.size());
      all.add(MockInterface.loose(id, subnet, wanted, IpAddress.parse(each)).at("i-2", all.size()));
    }
    return cloud.state().adopt("i-2", "m5.large", List.of(), all);
  }

  private void pass(int seconds) {
    time.runUntil(time.nanos() + Duration.ofSeconds(seconds).toNanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("has its books in balance after every request, whatever was asked, refused or lost")
  void balance(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    MockCloud bad = cloud(Duration.ZERO, 0, "*#2+1000~0.1=lost", "*~0.1=partial:1");
    bad.state().launch("i-2", "m5.xlarge", "subnet-a", Map.of());
    for (int i = 0; i < 400; i++) {
      try {
        request(bad, random);
      } catch (CloudException | IOException | NeverAnswers expected) {
        assertThat(expected).isNotNull();
      }
      AddressSet all = AddressSet.of();
      int held = 0;
      for (MockInterface each : bad.state().all()) {
        all = all.plus(each.taken());
        held += each.taken().size();
      }
      assertThat(all.size()).isEqualTo(held);
      assertThat(bad.state().subnet("subnet-a").free()).isEqualTo(64 - 5 - held);
    }
  }

  private static void request(MockCloud bad, SplittableRandom random)
      throws CloudException, IOException {
    List<MockInterface> all = bad.state().all();
    MockInterface one =
        all.isEmpty() ? on(bad).create(Map.of(), 0, 0, "x") : all.get(random.nextInt(all.size()));
    switch (random.nextInt(6)) {
      case 0 ->
          on(bad).create(Map.of(), random.nextInt(4), random.nextInt(2), "t" + random.nextInt(9));
      case 1 -> on(bad).attach(one.id(), "i-" + (1 + random.nextInt(3)), random.nextInt(4));
      case 2 -> on(bad).assign(one.id(), random.nextInt(4), 0);
      case 3 -> on(bad).assign(one.id(), 0, random.nextInt(2));
      case 4 ->
          on(bad).unassign(one.id(), one.singles().first(one.singles().size() / 2), one.prefixes());
      default -> on(bad).delete(one.id());
    }
  }
}
