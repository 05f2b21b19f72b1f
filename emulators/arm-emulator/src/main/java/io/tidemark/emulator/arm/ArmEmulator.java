package io.tidemark.emulator.arm;

import io.tidemark.emulator.arm.admin.ArmAdmin;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.http.ArmHttpFront;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.arm.scenario.ArmScenario;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * An emulated Azure Resource Manager. In a test or a simulation make one with {@link #in} and hand
 * requests to {@link #handler()}; to be called over HTTP {@link #listen} starts one in real time.
 * Thread-safe.
 */
public final class ArmEmulator {
  private final ArmHandler handler;
  private final ArmScenario scenario;

  private ArmEmulator(ArmHandler handler, ArmScenario scenario) {
    this.handler = handler;
    this.scenario = scenario;
  }

  /** An emulator without resources in the time that {@code time} shows; it starts no thread. */
  public static ArmEmulator in(TimeSource time, ModelOptions options) {
    return in(time, ArmScenario.of(options));
  }

  /**
   * The same with the resources of a scenario.
   *
   * @throws IpamException when Azure refuses a part of the scenario
   */
  public static ArmEmulator in(TimeSource time, ArmScenario scenario) {
    ArmHandler handler = new ArmHandler(new ArmModel(scenario.options()), time);
    ArmEmulator emulator = new ArmEmulator(handler, scenario);
    emulator.reset();
    return emulator;
  }

  /** The error for problems of a scenario, one per line. */
  public static IpamException refused(List<ScenarioProblem> problems) {
    String lines =
        problems.stream().map(problem -> "  " + problem).collect(Collectors.joining("\n"));
    return new IpamException(CoreError.SCENARIO_REFUSED, "\n" + lines);
  }

  /**
   * An emulator in real time that listens on a port of this machine's loopback address.
   *
   * @param port 0 for one of the system's choice
   * @throws IOException when the port is taken
   * @throws IpamException when Azure refuses a part of the scenario; nothing was started then
   */
  public static Listening listen(int port, ArmScenario scenario) throws IOException {
    ArmEmulator emulator = in(SystemTime.instance(), scenario);
    ThreadTaskScheduler scheduler =
        ThreadTaskScheduler.start("arm-emulator-timer", SystemTime.instance());
    ArmAdmin admin = new ArmAdmin(emulator.handler, emulator::reset);
    try {
      ArmHttpFront front =
          new ArmHttpFront(
              emulator.handler,
              new Identity(emulator.handler, scenario.machine()),
              scheduler,
              new LocalPages(ArmAdmin.PATH, admin::answer, admin::welcome),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new Listening(emulator, front, scheduler);
    } catch (IOException e) {
      scheduler.close();
      throw e;
    }
  }

  /** The door for requests, and to the model behind it. */
  public ArmHandler handler() {
    return handler;
  }

  /** Begins anew with the resources of the start. */
  public void reset() {
    handler.reset(built(scenario, handler.now()));
  }

  private static ArmModel built(ArmScenario scenario, Instant now) {
    ArmModel model = new ArmModel(scenario.options());
    List<ScenarioProblem> problems = new ArrayList<>();
    for (ArmScenario.Step step : scenario.steps()) {
      try {
        step.make().accept(model.resources(now));
      } catch (Refusal refusal) {
        problems.add(
            step.place()
                .problem(
                    "Azure refuses it: " + refusal.error().message().replaceFirst("\\.$", ""),
                    "Correct the entry."));
      } catch (IllegalArgumentException e) {
        problems.add(
            step.place().problem(String.valueOf(e.getMessage()), "Name one that is made above."));
      }
    }
    if (!problems.isEmpty()) {
      throw refused(problems.stream().distinct().toList()); // instances of a set fail alike
    }
    model.access().setRoles(scenario.roles());
    model.access().setLocks(scenario.locks());
    model.faults().set(scenario.faults());
    return model;
  }

  /** Makes or changes resources now, as their owner does beside the requests that are served. */
  public void change(Consumer<Resources> how) {
    handler.change(model -> how.accept(model.resources(handler.now())));
  }

  /** As {@link ArmModel#listsBehind}. */
  public void listsBehind(Optional<Duration> behind) {
    handler.change(model -> model.listsBehind(behind));
  }

  /** Puts these rules in the place of those before. */
  public void faults(ArmFault... rules) {
    handler.change(model -> model.faults().set(List.of(rules)));
  }

  /**
   * An emulator with its port and its threads; {@link #close} ends them all.
   *
   * @param front its port
   * @param scheduler its threads
   */
  public record Listening(ArmEmulator emulator, ArmHttpFront front, ThreadTaskScheduler scheduler)
      implements AutoCloseable {
    /** Where Resource Manager, the token endpoint and the metadata service are. */
    public URI endpoint() {
      return front.endpoint();
    }

    @Override
    public void close() {
      front.close();
      scheduler.close();
    }
  }
}
