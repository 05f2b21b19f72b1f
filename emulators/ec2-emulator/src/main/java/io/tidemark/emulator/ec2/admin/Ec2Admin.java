package io.tidemark.emulator.ec2.admin;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.scenario.Fragments;
import io.tidemark.emulator.kit.http.LocalPages;
import io.tidemark.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Serves the requests under {@link LocalPages#PATH}, and a status page. Parameters are a form,
 * responses are JSON. Thread-safe.
 *
 * @param reset begins anew with the world of the start
 */
public record Ec2Admin(Ec2Handler handler, Runnable reset) {
  private static final String REQUESTS =
      "GET state, POST reset, GET, POST and DELETE faults, GET, POST and DELETE deny, GET and POST"
          + " strangers, and POST fragment";

  /** The response to this request; the response to an invalid one names the problem. */
  public HttpResponse answer(String method, String path, String form) {
    try {
      return switch (method + " " + path.substring(LocalPages.PATH.length())) {
        case "POST reset" -> {
          reset.run();
          yield done("everything is as it was at the start");
        }
        case "GET state" -> look(world -> json(200, StateJson.of(world, handler.now())));
        case "GET faults" -> look(world -> json(200, StateJson.faults(world)));
        case "POST faults" -> add(form);
        case "DELETE faults" ->
            handler.use(
                world -> {
                  world.faults().set(List.of());
                  return inForce(world);
                });
        case "GET deny" -> look(world -> json(200, StateJson.denials(world)));
        case "POST deny" -> deny(form);
        case "DELETE deny" -> allow();
        case "GET strangers" -> look(world -> json(200, StateJson.neighbours(world)));
        case "POST strangers" -> neighbours(form);
        case "POST fragment" -> fragment(form);
        default ->
            problem(
                404,
                "there is no " + method + " " + path,
                "There are " + REQUESTS + " under " + LocalPages.PATH + ".");
      };
    } catch (IllegalArgumentException e) {
      return problem(400, String.valueOf(e.getMessage()), "See docs/ec2-emulator.md.");
    } catch (Ec2Refusal e) {
      return problem(400, e.error().message(), "Send name=value pairs joined by '&'.");
    }
  }

  /** The page at {@code /}. */
  public HttpResponse welcome() {
    return look(
        world ->
            HttpResponse.of(200, "text/html;charset=UTF-8", Ec2PageHtml.of(world, handler.now())));
  }

  private HttpResponse look(Function<Ec2Model, HttpResponse> answer) {
    return handler.use(
        world -> {
          world.pass(handler.now());
          return answer.apply(world);
        });
  }

  private HttpResponse add(String text) {
    Ec2FaultRule rule =
        AdminForm.read(
                text, "action", "kind", "code", "message", "status", "probability", "skip", "times")
            .fault();
    return handler.use(
        world -> {
          world.faults().add(rule);
          return inForce(world);
        });
  }

  private static HttpResponse inForce(Ec2Model world) {
    return done("fault rules in force: " + world.faults().rules().size());
  }

  private HttpResponse deny(String text) {
    AdminForm form = AdminForm.read(text, "principal", "actions");
    String principal = form.needed("principal", "an access key id, the ARN of a role, or *");
    Set<String> actions = form.actions("actions");
    return handler.use(
        world -> {
          world.denials().set(principal, actions);
          return done("denied to " + principal + ": " + String.join(", ", actions));
        });
  }

  private HttpResponse allow() {
    return handler.use(
        world -> {
          world.denials().clear();
          return done("nothing is denied");
        });
  }

  private HttpResponse neighbours(String text) {
    AdminForm form = AdminForm.read(text, "share");
    form.needed("share", "0 to 1");
    double share = form.share("share", "0");
    return handler.use(
        world -> {
          world.useNeighbours(share, handler.now());
          String idle =
              world.isThrottling() ? "" : "; no request is throttled, so it shows nowhere";
          return done("noisy neighbours use " + share + " of every bucket's refill" + idle);
        });
  }

  private HttpResponse fragment(String text) {
    AdminForm form = AdminForm.read(text, "region", "subnet", "share", "seed");
    String id = form.needed("subnet", "the id of a subnet");
    String name = form.needed("region", "the region of the subnet");
    double share = form.share("share", "1");
    SplittableRandom random = new SplittableRandom(form.number("seed", 1));
    return look(
        world -> {
          Region region =
              world.regions().stream()
                  .filter(each -> each.name().equals(name))
                  .findFirst()
                  .orElseThrow(
                      () -> new IllegalArgumentException("region '" + name + "' has no subnet"));
          Ec2Subnet subnet =
              region
                  .subnets()
                  .find(id)
                  .orElseThrow(
                      () -> new IllegalArgumentException(name + " has no subnet '" + id + "'"));
          try {
            Fragments.Taken taken =
                Fragments.take(world, region, subnet, share, random, handler.now());
            return json(
                200, StateJson.fragmented(taken, region.addresses(subnet.id()).freePrefixes()));
          } catch (Ec2Refusal refusal) {
            return problem(
                409,
                "the owner cannot take the addresses: " + refusal.error(),
                "Delete interfaces, or raise the quota in a scenario.");
          }
        });
  }

  private static HttpResponse done(String what) {
    return json(200, StateJson.done(what));
  }

  private static HttpResponse problem(int status, String problem, String remedy) {
    return json(status, StateJson.problem(problem, remedy));
  }

  private static HttpResponse json(int status, String body) {
    return HttpResponse.of(status, "application/json;charset=UTF-8", body);
  }
}
