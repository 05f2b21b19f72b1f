package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultRule;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one fault rule; see {@link MockConfig#faults()}. Pure. */
final class FaultText {
  private static final Pattern RULE =
      Pattern.compile(
          "(?<operation>\\*|\\w+)(@(?<subject>[^#~=]+))?(#(?<first>\\d+)(\\+(?<count>\\d+))?)?"
              + "(~(?<share>[0-9.]+))?=(?<fault>[a-z-]+)(:(?<argument>[\\w.]+))?");

  private FaultText() {}

  static FaultRule parse(String text) {
    Matcher rule = RULE.matcher(text);
    if (!rule.matches()) {
      throw new IllegalArgumentException("expected Operation[@ID][#FIRST[+COUNT]][~SHARE]=FAULT");
    }
    boolean once = rule.group("first") != null;
    return new FaultRule(
        rule.group("operation").equals("*")
            ? Optional.empty()
            : Optional.of(operation(rule.group("operation"))),
        or(rule.group("subject"), ""),
        Long.parseLong(or(rule.group("first"), "1")),
        Long.parseLong(or(rule.group("count"), once ? "1" : Long.toString(Long.MAX_VALUE))),
        Double.parseDouble(or(rule.group("share"), "1")),
        fault(rule.group("fault"), or(rule.group("argument"), "")));
  }

  static CloudOperation operation(String wire) {
    return Arrays.stream(CloudOperation.values())
        .filter(operation -> operation.wire().equals(wire))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown operation '"
                        + wire
                        + "'; known are "
                        + Arrays.stream(CloudOperation.values())
                            .map(CloudOperation::wire)
                            .toList()));
  }

  private static Fault fault(String name, String argument) {
    return switch (name) {
      case "throttle" ->
          new Fault.Refuse(CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "Request limit exceeded.");
      case "fail" -> new Fault.Refuse(code(argument), "scripted");
      case "lost" -> new Fault.LoseAnswer(true);
      case "lost-request" -> new Fault.LoseAnswer(false);
      case "hang" -> new Fault.Hang(false);
      case "hang-done" -> new Fault.Hang(true);
      case "partial" -> new Fault.Partial(Integer.parseInt(argument));
      case "stopped" -> new Fault.StopInstance();
      case "terminated" -> new Fault.TerminateInstance();
      default -> throw new IllegalArgumentException("unknown fault '" + name + "'");
    };
  }

  private static CloudErrorCode code(String wire) {
    return Arrays.stream(CloudErrorCode.values())
        .filter(code -> code.wire().equals(wire))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown code '"
                        + wire
                        + "'; known are "
                        + Arrays.stream(CloudErrorCode.values())
                            .map(CloudErrorCode::wire)
                            .toList()));
  }

  private static String or(@org.jspecify.annotations.Nullable String text, String otherwise) {
    return text == null ? otherwise : text;
  }
}
