package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.CrashPoint;
import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.CrashStory;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
@DisplayName("Crashes of the operator on the Azure provider")
class AzureCrashPointsTest {
  private static final String INSTANCE = "VirtualMachineScaleSetVMs.Update";
  private static final String INTERFACE = "Interfaces.CreateOrUpdate";
  private static final String PUBLIC_ADDRESS = "PublicIPAddresses.CreateOrUpdate";
  private static final String POLL = "Operations.Get";

  /** The writes of one run by what they were for, as numbers among those of their operation. */
  private static final class Writes {
    private final SortedMap<String, List<Integer>> byEffect = new TreeMap<>();
    private final SortedMap<String, Integer> sent = new TreeMap<>();

    ArmApi door(ArmApi genuine) {
      return (ArmApi)
          Proxy.newProxyInstance(
              ArmApi.class.getClassLoader(),
              new Class<?>[] {ArmApi.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("write")) {
                  note((WritableResource) arguments[0], (ConfigurationChange) arguments[1]);
                } else if (method.getName().equals("createPublicAddress")) {
                  note("create by ", PUBLIC_ADDRESS);
                }
                try {
                  return method.invoke(genuine, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private void note(WritableResource base, ConfigurationChange change) {
      String what =
          change.publicAddress().isPresent()
              ? "bind by "
              : change.removed().isEmpty() ? "assign by " : "release by ";
      note(what, base.id().isUniformInstance() ? INSTANCE : INTERFACE);
    }

    private void note(String what, String operation) {
      int number = sent.merge(operation, 1, Integer::sum);
      byEffect.computeIfAbsent(what + operation, key -> new ArrayList<>()).add(number);
    }
  }

  private static ClusterSimulation simulation(boolean multiPool, Writes writes) {
    return simulation(multiPool, AzureClouds.of(CloudSetup.PLAIN.behind(writes::door)));
  }

  private static ClusterSimulation simulation(boolean multiPool, AzureClouds clouds) {
    return new ClusterSimulation(
            CrashStory.scenario(false, multiPool, Duration.ofMinutes(60), Duration.ofSeconds(20)))
        .on(clouds);
  }

  /** A cloud whose nodes ask for public addresses, and how many are used in it. */
  private static final class PublicClouds extends AzureClouds {
    private final List<AzureSimulatedCloud> made = new ArrayList<>();

    PublicClouds(Writes writes) {
      super(any -> CloudSetup.PLAIN.with(Trait.PUBLIC_ADDRESSES, true).behind(writes::door));
    }

    @Override
    public SimulatedCloud create(
        Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
      SimulatedCloud cloud = super.create(scenario, time, temper, seed);
      made.add((AzureSimulatedCloud) cloud);
      return cloud;
    }

    int used() {
      return made.get(made.size() - 1).publicAddresses();
    }
  }

  /** Points of one operation at these of its occurrences. */
  private static List<CrashPoint> points(
      String operation, SortedSet<Integer> occurrences, List<Moment> moments) {
    List<CrashPoint> points = new ArrayList<>();
    for (int occurrence : occurrences) {
      moments.forEach(moment -> points.add(new CrashPoint(operation, occurrence, moment)));
    }
    return points;
  }

  /** Some of the occurrences of an effect. */
  private static SortedSet<Integer> chosen(List<Integer> occurrences) {
    SortedSet<Integer> some = new TreeSet<>();
    CrashStory.chosen(occurrences.size()).forEach(at -> some.add(occurrences.get(at - 1)));
    return some;
  }

  @Test
  @DisplayName("AZ-N45 of six effects, before, after, answer lost, leave nothing broken at rest")
  void everyPoint() {
    TreeSet<String> kinds = new TreeSet<>();
    List<String> broken = new ArrayList<>();
    int runs = 0;
    for (boolean multiPool : new boolean[] {false, true}) {
      Writes calm = new Writes();
      ClusterSimulation.Watched plain = simulation(multiPool, calm).runWatched();
      assertThat(plain.report().violations()).as("multi-pool %s, no crash", multiPool).isEmpty();
      SortedMap<String, List<CrashPoint>> all = new TreeMap<>();
      calm.byEffect.forEach(
          (effect, numbers) ->
              all.put(
                  effect,
                  points(
                      effect.substring(effect.lastIndexOf(' ') + 1),
                      chosen(numbers),
                      CrashPoint.AROUND_EFFECT)));
      for (String effect : List.of("updateStatus", "update")) {
        int asked = plain.crashes().occurrences().getOrDefault(effect, 0);
        all.put(effect, points(effect, CrashStory.chosen(asked), CrashPoint.AROUND_EFFECT));
      }
      for (var each : all.entrySet()) {
        for (CrashPoint point : each.getValue()) {
          runs++;
          kinds.add(each.getKey() + " " + point.moment());
          broken.addAll(broken(multiPool, point));
        }
      }
    }
    System.out.println("Azure: " + kinds.size() + " kinds of crash points in " + runs + " runs");
    assertThat(broken).isEmpty();
    assertThat(kinds).hasSize(18);
  }

  @Test
  @DisplayName("AZ-N45 before and after a poll of an operation leave nothing broken at rest")
  void aroundPolls() {
    List<String> broken = new ArrayList<>();
    for (boolean multiPool : new boolean[] {false, true}) {
      int polls =
          simulation(multiPool, new Writes())
              .runWatched()
              .crashes()
              .occurrences()
              .getOrDefault(POLL, 0);
      assertThat(polls).isPositive();
      List<Moment> around = List.of(Moment.BEFORE, Moment.AFTER);
      for (CrashPoint point : points(POLL, CrashStory.chosen(polls), around)) {
        broken.addAll(broken(multiPool, point));
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  @DisplayName(
      "AZ-N45 around the making and the binding of public addresses leave each of three nodes one")
  void publicAddresses() {
    Writes calm = new Writes();
    PublicClouds plain = new PublicClouds(calm);
    assertThat(simulation(true, plain).runWatched().report().violations()).as("no crash").isEmpty();
    assertThat(plain.used()).isEqualTo(3);
    List<String> broken = new ArrayList<>();
    SortedMap<String, List<Integer>> effects = new TreeMap<>(calm.byEffect);
    effects.keySet().removeIf(each -> each.matches("(assign|release).*"));
    assertThat(effects)
        .containsOnlyKeys(
            "bind by " + INTERFACE, "bind by " + INSTANCE, "create by " + PUBLIC_ADDRESS);
    effects.forEach(
        (effect, numbers) -> {
          String operation = effect.substring(effect.lastIndexOf(' ') + 1);
          for (CrashPoint point : points(operation, chosen(numbers), CrashPoint.AROUND_EFFECT)) {
            PublicClouds clouds = new PublicClouds(new Writes());
            broken.addAll(broken(simulation(true, clouds), point));
            assertThat(clouds.used()).as("%s", point).isEqualTo(3);
          }
        });
    assertThat(broken).isEmpty();
  }

  private static List<String> broken(boolean multiPool, CrashPoint point) {
    return broken(simulation(multiPool, new Writes()), point).stream()
        .map(each -> "multi-pool " + multiPool + ", " + each)
        .toList();
  }

  private static List<String> broken(ClusterSimulation simulation, CrashPoint point) {
    ClusterSimulation.Watched run = simulation.hitting(point).runWatched();
    assertThat(run.crashes().hasStruck()).as("%s is reached", point).isTrue();
    List<String> broken = new ArrayList<>();
    run.report().violations().forEach(each -> broken.add(point + ": " + each));
    return broken;
  }
}
