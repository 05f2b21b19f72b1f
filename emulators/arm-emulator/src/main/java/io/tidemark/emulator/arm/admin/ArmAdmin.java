package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The administration for programs and people of this machine: state, requests, faults, and what
 * happens to machines. Thread-safe.
 *
 * @param reset begins anew with the resources of the start
 */
public record ArmAdmin(ArmHandler handler, Runnable reset) {
  /** The latest requests that are shown. */
  private static final int REQUESTS_MAX = 200;

  private static final String POWERS =
      "start, stop, deallocate, mark-for-deletion, delete or upgrade";
  private static final String REQUESTS =
      "GET state, GET requests, POST reset, GET, POST and DELETE faults, and POST machine";

  /** The response to this request; the response to an invalid one names the problem. */
  public HttpResponse answer(String method, String path, String form) {
    try {
      return switch (method + " " + path.substring(LocalPages.PATH.length())) {
        case "POST reset" -> {
          reset.run();
          yield done("everything is as it was at the start");
        }
        case "GET state" -> look(world -> json(200, world.state()));
        case "GET requests" -> look(world -> json(200, requests(world.audit())));
        case "GET faults" -> look(world -> json(200, faults(world.faults().rules())));
        case "POST faults" -> add(form);
        case "DELETE faults" ->
            look(
                world -> {
                  world.faults().set(List.of());
                  return inForce(world);
                });
        case "POST machine" -> machine(form);
        default ->
            problem(
                404,
                "there is no " + method + " " + path,
                "There are " + REQUESTS + " under " + LocalPages.PATH + ".");
      };
    } catch (IllegalArgumentException e) {
      return problem(400, String.valueOf(e.getMessage()), "See docs/arm-emulator.md.");
    }
  }

  /** The page at {@code /}. */
  public HttpResponse welcome() {
    return look(
        world ->
            HttpResponse.of(200, "text/html;charset=UTF-8", ArmPageHtml.of(world, handler.now())));
  }

  private HttpResponse look(Function<ArmModel, HttpResponse> answer) {
    return handler.use(
        world -> {
          world.pass(handler.now());
          return answer.apply(world);
        });
  }

  private HttpResponse add(String form) {
    ArmFault rule = ArmScenarioYaml.fault(ArmRequest.parameters(form));
    return look(
        world -> {
          world.faults().add(rule);
          return inForce(world);
        });
  }

  private static HttpResponse inForce(ArmModel world) {
    return done("fault rules in force: " + world.faults().rules().size());
  }

  private HttpResponse machine(String text) {
    Map<String, String> form = ArmRequest.parameters(text);
    String id = needed(form, "id", "the id of a machine");
    String what = needed(form, "do", POWERS);
    return handler.use(
        world -> {
          Resources owner = world.resources(handler.now());
          switch (what) {
            case "start" -> owner.setPower(id, Power.RUNNING);
            case "stop" -> owner.setPower(id, Power.STOPPED);
            case "deallocate" -> owner.setPower(id, Power.DEALLOCATED);
            case "mark-for-deletion" -> owner.markForDeletion(id);
            case "delete" -> owner.delete(id);
            case "upgrade" -> owner.upgradeToModel(id);
            default ->
                throw new IllegalArgumentException("do is '" + what + "'; expected " + POWERS);
          }
          return done(what + ": " + id);
        });
  }

  private static String needed(Map<String, String> form, String name, String expected) {
    String text = form.getOrDefault(name, "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing; expected " + expected);
    }
    return text;
  }

  private static Document faults(List<ArmFault> rules) {
    return Document.of("faults", rules.stream().map(ArmFault::document).toList());
  }

  private static Document requests(AuditLog audit) {
    Document counts = Document.EMPTY;
    for (Map.Entry<String, Integer> each : audit.counts().entrySet()) {
      counts = counts.with(each.getKey(), each.getValue());
    }
    List<AuditLog.Entry> all = audit.entries();
    return Document.of("counts", counts)
        .with(
            "latest",
            all.subList(Math.max(0, all.size() - REQUESTS_MAX), all.size()).stream()
                .map(
                    each ->
                        Document.of("at", each.at().toString())
                            .with("principal", each.principal())
                            .with("operation", each.operation())
                            .with("path", each.path())
                            .with("status", each.status())
                            .with("code", each.code()))
                .toList());
  }

  private static HttpResponse done(String what) {
    return json(200, Document.of("done", what));
  }

  private static HttpResponse problem(int status, String problem, String remedy) {
    return json(status, Document.of("problem", problem).with("remedy", remedy));
  }

  private static HttpResponse json(int status, Document body) {
    return HttpResponse.of(status, "application/json;charset=UTF-8", DocumentJson.print(body));
  }
}
