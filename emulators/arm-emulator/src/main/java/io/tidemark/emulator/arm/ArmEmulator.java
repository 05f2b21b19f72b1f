package io.tidemark.emulator.arm;

import io.tidemark.emulator.arm.admin.ArmAdmin;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.arm.scenario.ArmScenario;
import io.tidemark.emulator.kit.http.EmulatorFront;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.error.IpamException;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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

  /**
   * An emulator in real time that listens on a port of this machine's loopback address.
   *
   * @param port 0 for one of the system's choice
   * @throws IOException when the port is taken
   * @throws IpamException when Azure refuses a part of the scenario; nothing was started then
   */
  public static Listening listen(int port, ArmScenario scenario) throws IOException {
    ArmEmulator emulator = in(SystemTime.instance(), scenario);
    ArmAdmin admin = new ArmAdmin(emulator.handler, emulator::reset);
    Identity identity = new Identity(emulator.handler, scenario.machine());
    return new Listening(
        emulator,
        EmulatorFront.start(
            "arm-emulator",
            port,
            new LocalPages(admin::answer, admin::welcome),
            (request, authority) -> answer(emulator.handler, identity, request, authority)));
  }

  private static EmulatorFront.Timed answer(
      ArmHandler handler, Identity identity, HttpRequest request, String authority) {
    String origin = "http://" + authority;
    ArmReply reply =
        identity
            .answer(request, origin)
            .orElseGet(() -> handler.handle(ArmRequest.of(request, origin)));
    HttpResponse response =
        HttpResponse.of(reply.status(), "application/json; charset=utf-8", reply.body());
    for (Map.Entry<String, String> each : reply.headers().entrySet()) {
      response = response.with(each.getKey(), each.getValue());
    }
    return new EmulatorFront.Timed(response, reply.latency(), reply.delivery());
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
      throw ScenarioProblem.refusal(
          problems.stream().distinct().toList()); // instances of a set fail alike
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

  /** An emulator with its port and its threads; {@link #close} ends them all. */
  public record Listening(ArmEmulator emulator, EmulatorFront front) implements AutoCloseable {
    /** Where Resource Manager, the token endpoint and the metadata service are. */
    public URI endpoint() {
      return front.endpoint();
    }

    @Override
    public void close() {
      front.close();
    }
  }
}
