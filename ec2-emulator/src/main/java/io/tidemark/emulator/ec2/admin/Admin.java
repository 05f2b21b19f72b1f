package io.tidemark.emulator.ec2.admin;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.PlainResponse;
import io.tidemark.emulator.ec2.pace.FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers the requests under {@link #PATH}: {@code POST reset}, {@code GET state}, {@code POST
 * faults} and {@code DELETE faults}. Parameters are a form, answers are JSON. Thread-safe.
 */
public final class Admin {
  /** No request of EC2 has it. */
  public static final String PATH = "/_tidemark/";

  private static final Set<String> FAULT_PARAMETERS =
      Set.of("action", "kind", "code", "message", "status", "probability", "skip", "times");

  private final Ec2Handler handler;
  private final Runnable reset;

  /**
   * Administers the model behind this handler.
   *
   * @param reset begins anew with the world of the start
   */
  public Admin(Ec2Handler handler, Runnable reset) {
    this.handler = handler;
    this.reset = reset;
  }

  /** What comes of this request; every broken one is answered with what is wrong. */
  public PlainResponse answer(String method, String path, String form) {
    try {
      return switch (method + " " + path.substring(PATH.length())) {
        case "POST reset" -> {
          reset.run();
          yield json(200, StateJson.done("everything is as it was at the start"));
        }
        case "GET state" -> json(200, handler.use(StateJson::of));
        case "POST faults" -> add(fault(QueryForm.parse(form)));
        case "DELETE faults" -> set(List.of());
        default ->
            problem(
                404,
                "there is no " + method + " " + path,
                "There are POST reset, GET state, POST faults and DELETE faults under "
                    + PATH
                    + ".");
      };
    } catch (IllegalArgumentException e) {
      return problem(400, String.valueOf(e.getMessage()), "See docs/ec2-emulator.md.");
    } catch (Refusal e) {
      return problem(400, e.error().message(), "Send name=value pairs joined by '&'.");
    }
  }

  private PlainResponse add(FaultRule rule) {
    return handler.use(
        model -> {
          List<FaultRule> rules = new ArrayList<>(model.faults().rules());
          rules.add(rule);
          model.faults().set(rules);
          return json(200, StateJson.done("fault rules in force: " + rules.size()));
        });
  }

  private PlainResponse set(List<FaultRule> rules) {
    return handler.use(
        model -> {
          model.faults().set(rules);
          return json(200, StateJson.done("fault rules in force: " + rules.size()));
        });
  }

  private static FaultRule fault(QueryForm form) {
    TreeSet<String> unknown = new TreeSet<>(form.parameters().keySet());
    unknown.removeAll(FAULT_PARAMETERS);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown " + unknown + "; expected " + new TreeSet<>(FAULT_PARAMETERS));
    }
    if (form.value("action").isEmpty()) {
      throw new IllegalArgumentException("action is missing; expected an action's name or *");
    }
    return new FaultRule(
        form.value("action"),
        kind(form.value("kind")),
        new Ec2Error(
            text(form, "code", "InternalError"),
            text(form, "message", "An internal error has occurred"),
            status(form)),
        probability(form),
        number(form, "skip", 0),
        number(form, "times", Integer.MAX_VALUE));
  }

  private static FaultRule.Kind kind(String text) {
    String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(FaultRule.Kind.values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind is '"
                        + text
                        + "'; expected one of "
                        + Arrays.toString(FaultRule.Kind.values())));
  }

  private static int status(QueryForm form) {
    int status = number(form, "status", 500);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status is " + status + "; expected 400 to 599");
    }
    return status;
  }

  private static double probability(QueryForm form) {
    String text = text(form, "probability", "1");
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("probability is '" + text + "'; expected 0 to 1", e);
    }
  }

  private static int number(QueryForm form, String name, int otherwise) {
    String text = text(form, name, Integer.toString(otherwise));
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " is '" + text + "'; expected a whole number of 0 or more", e);
    }
  }

  private static String text(QueryForm form, String name, String otherwise) {
    String value = form.value(name);
    return value.isEmpty() ? otherwise : value;
  }

  private static PlainResponse problem(int status, String problem, String remedy) {
    return json(status, StateJson.problem(problem, remedy));
  }

  private static PlainResponse json(int status, String body) {
    return new PlainResponse(status, "application/json", body);
  }
}
