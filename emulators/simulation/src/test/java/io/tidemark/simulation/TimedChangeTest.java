package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change that the passing of time alone makes in the cloud")
class TimedChangeTest {
  private static final Duration AT = Duration.ofMillis(123_456);

  @Test
  @DisplayName("is judged when it happens, without a request")
  void judged() {
    Scenario scenario = ScenarioGenerator.scenario(3, 5);
    SimulationReport report =
        new ClusterSimulation(scenario)
            .on(
                (drawn, time, temper, seed) ->
                    changing(new MockSimulatedCloud(drawn, time, temper, seed), time))
            .run(new VirtualTime(0));
    assertThat(report.violations())
        .anySatisfy(
            each -> {
              assertThat(each.invariant()).isEqualTo("I10");
              assertThat(each.atSeconds()).isEqualTo(AT.toMillis() / 1e3);
            });
  }

  /** A cloud in which the foreign interface of the run is changed at {@link #AT}. */
  private static SimulatedCloud changing(SimulatedCloud real, VirtualTime time) {
    String[] foreign = {""};
    boolean[] due = new boolean[1];
    return (SimulatedCloud)
        Proxy.newProxyInstance(
            SimulatedCloud.class.getClassLoader(),
            new Class<?>[] {SimulatedCloud.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "onTimedChange" ->
                    time.at(
                        AT.toNanos(),
                        () -> {
                          due[0] = true;
                          ((Runnable) arguments[0]).run();
                        });
                case "drainChanges" -> {
                  if (due[0]) {
                    due[0] = false;
                    return List.of(
                        new CloudChange(
                            CloudChange.Kind.ATTRIBUTE_CHANGED, "", foreign[0], AddressSet.of()));
                  }
                }
                default -> {}
              }
              Object answer = called(method, real, arguments);
              foreign[0] =
                  method.getName().equals("foreignInterface") ? (String) answer : foreign[0];
              return answer;
            });
  }

  private static Object called(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
