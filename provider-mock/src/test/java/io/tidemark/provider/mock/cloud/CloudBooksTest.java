package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;

@DisplayName("The mock cloud's books")
class CloudBooksTest {
  private static final int STEPS = 400;
  private static final List<String> SUBNETS = List.of("subnet-1", "subnet-2");
  private static final List<String> INSTANCES = List.of("i-1", "i-2", "i-3", "i-4");

  private final VirtualTime time = new VirtualTime(0);
  private final Map<String, String> tokens = new HashMap<>();

  @RepeatedTest(5)
  @DisplayName("balance after every request, whatever was asked, refused or lost")
  void balance(RepetitionInfo run) throws IOException {
    balance(run.getCurrentRepetition());
  }

  @RepeatedTest(40)
  @Tag("long")
  @DisplayName("balance after every request of forty runs")
  void balanceOften(RepetitionInfo run) throws IOException {
    balance(run.getCurrentRepetition());
  }

  private void balance(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    MockCloud cloud = cloud(random.split());
    for (int step = 0; step < STEPS; step++) {
      time.runUntil(time.nanos() + random.nextLong(Duration.ofSeconds(5).toNanos()));
      try {
        request(cloud, random);
      } catch (CloudException | AnswerLost expected) {
        assertThat(expected).hasMessageNotContaining("null");
      }
      check(cloud.inspect(), "seed " + seed + " step " + step);
    }
  }

  private MockCloud cloud(SplittableRandom random) {
    List<FaultRule> faults =
        List.of(
            FaultRule.sometimes(
                CloudOperation.CREATE_NETWORK_INTERFACE, 0.1, new Fault.LoseAnswer(true)),
            FaultRule.sometimes(
                CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES, 0.1, new Fault.Partial(1)),
            FaultRule.sometimes(
                CloudOperation.ATTACH_NETWORK_INTERFACE, 0.05, new Fault.StopInstance()),
            FaultRule.sometimes(
                CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES, 0.1, new Fault.LoseAnswer(true)));
    Duration staleness = Duration.ofSeconds(random.nextInt(3) * 7L);
    CloudSettings settings =
        CloudSettings.calm()
            .withStaleness(staleness)
            .withFaults(new FaultScript(faults, staleness, random.split()));
    MockCloud cloud = new MockCloud(settings, time);
    cloud.setup().vpc(new Vpc("vpc-1", Cidr.parse("10.0.0.0/16"), List.of()));
    for (int i = 0; i < SUBNETS.size(); i++) {
      Cidr cidr = Cidr.parse("10.0." + i + ".0/26");
      cloud.setup().subnet(new Subnet(SUBNETS.get(i), "vpc-1", "zone-1", cidr, Map.of()));
    }
    return cloud;
  }

  private void request(MockCloud cloud, SplittableRandom random)
      throws CloudException, IOException {
    String instance = INSTANCES.get(random.nextInt(INSTANCES.size()));
    Optional<NetworkInterface> some = any(cloud, random);
    switch (random.nextInt(11)) {
      case 0 -> launch(cloud, instance, SUBNETS.get(random.nextInt(2)));
      case 1, 2 -> create(cloud, random);
      case 3, 4 -> {
        if (some.isPresent()) {
          cloud.attachNetworkInterface(some.get().id(), instance, 1 + random.nextInt(3));
        }
      }
      case 5, 6 -> {
        if (some.isPresent()) {
          boolean blocks = random.nextInt(3) == 0;
          cloud.assignPrivateIpAddresses(
              some.get().id(), blocks ? 0 : 1 + random.nextInt(5), blocks ? 1 : 0);
        }
      }
      case 7 -> {
        if (some.isPresent()) {
          AddressSet held = some.get().singles();
          cloud.unassignPrivateIpAddresses(
              some.get().id(), held.first((held.size() + 1) / 2), some.get().prefixes());
        }
      }
      case 8 -> {
        if (some.isPresent()) {
          cloud.detachNetworkInterface(some.get().id());
        }
      }
      case 9 -> {
        if (some.isPresent()) {
          cloud.deleteNetworkInterface(some.get().id());
        }
      }
      default -> terminateOrRestart(cloud, random, instance);
    }
  }

  private static void launch(MockCloud cloud, String instance, String subnet) {
    if (cloud.instance(instance).isEmpty()
        && cloud.subnet(subnet).orElseThrow().freeAddresses() > 0) {
      cloud.setup().launch(InstanceLaunch.of(instance, "m5.large", subnet));
    }
  }

  private void create(MockCloud cloud, SplittableRandom random) throws CloudException, IOException {
    String token = "token-" + random.nextInt(30);
    boolean blocks = token.hashCode() % 3 == 0;
    CreateInterfaceRequest request =
        new CreateInterfaceRequest(
            SUBNETS.get(token.length() % 2),
            "test",
            List.of(),
            Map.of(),
            blocks ? 0 : 2,
            blocks ? 1 : 0,
            token);
    String id = cloud.createNetworkInterface(request).id();
    assertThat(tokens.merge(token, id, (first, again) -> first)).isEqualTo(id);
  }

  private static void terminateOrRestart(
      MockCloud cloud, SplittableRandom random, String instance) {
    if (random.nextInt(3) == 0) {
      cloud.setup().forget(instance);
    } else {
      cloud.setup().instanceState(instance, Instance.State.RUNNING);
    }
  }

  private static Optional<NetworkInterface> any(MockCloud cloud, SplittableRandom random) {
    List<NetworkInterface> all = new ArrayList<>(cloud.inspect().interfaces().values());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private static void check(CloudSnapshot snapshot, String when) {
    Map<String, Integer> held = new HashMap<>();
    Set<IpAddress> owned = new HashSet<>();
    Set<String> places = new HashSet<>();
    Map<String, Integer> attached = new HashMap<>();
    for (NetworkInterface each : snapshot.interfaces().values()) {
      AddressSet all = CloudState.addressesOf(each);
      assertThat(all.size()).as(when).isEqualTo(each.addressesHeld());
      for (IpAddress address : all) {
        assertThat(owned.add(address)).as("%s: %s is owned once", when, address).isTrue();
        assertThat(snapshot.subnets())
            .hasEntrySatisfying(
                each.subnetId(), subnet -> assertThat(subnet.cidr().contains(address)).isTrue());
      }
      held.merge(each.subnetId(), all.size(), Integer::sum);
      each.attachment()
          .ifPresent(
              where -> {
                assertThat(snapshot.instances()).as(when).containsKey(where.instanceId());
                assertThat(places.add(where.instanceId() + "#" + where.deviceIndex()))
                    .as("%s: one interface per place", when)
                    .isTrue();
                attached.merge(where.instanceId(), 1, Integer::sum);
                assertThat(each.placesTaken()).as(when).isLessThanOrEqualTo(10);
              });
    }
    attached.forEach((id, count) -> assertThat(count).as(when + " " + id).isLessThanOrEqualTo(3));
    snapshot
        .freeAddresses()
        .forEach(
            (id, free) ->
                assertThat(free)
                    .as("%s: free in %s", when, id)
                    .isEqualTo(64 - 5 - held.getOrDefault(id, 0)));
  }
}
