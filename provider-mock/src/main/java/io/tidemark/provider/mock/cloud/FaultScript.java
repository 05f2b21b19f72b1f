package io.tidemark.provider.mock.cloud;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Faults by rules, and reads that lag by a random time. The first rule that matches a request and
 * is due decides. Thread-safe.
 */
public final class FaultScript implements FaultPlan {
  private final List<Rule> rules;
  private final long[] matches;
  private final Duration stalenessMax;
  private final RandomGenerator random;

  /**
   * One line of a script.
   *
   * @param operation empty for every operation
   * @param subject only requests of this instance or interface; empty for all
   * @param first number of the first matching request that fails, from 1
   * @param count how many matching requests fail in a row
   * @param share of those that fail, above 0 to 1
   */
  public record Rule(
      Optional<CloudOperation> operation,
      String subject,
      long first,
      long count,
      double share,
      MockFault fault) {
    private static final Pattern FORM =
        Pattern.compile(
            "(?<operation>\\*|\\w+)(@(?<subject>[^#~=]+))?(#(?<first>\\d+)(\\+(?<count>\\d+))?)?"
                + "(~(?<share>[0-9.]+))?=(?<fault>[a-z-]+)(:(?<argument>[\\w.]+))?");

    public Rule {
      if (first < 1 || count < 1 || !(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("first and count begin at 1, the share is above 0 to 1");
      }
    }

    /**
     * A rule of the form {@code OPERATION@ID#FIRST+COUNT~SHARE=FAULT}; all but operation and fault
     * may be left out, the operation may be {@code *}.
     *
     * @throws IllegalArgumentException naming the form, or the known operations, codes and faults
     */
    public static Rule parse(String text) {
      Matcher rule = FORM.matcher(text);
      if (!rule.matches()) {
        throw new IllegalArgumentException("expected Operation[@ID][#FIRST[+COUNT]][~SHARE]=FAULT");
      }
      String many = rule.group("first") == null ? Long.toString(Long.MAX_VALUE) : "1";
      return new Rule(
          rule.group("operation").equals("*")
              ? Optional.empty()
              : Optional.of(operation(rule.group("operation"))),
          or(rule.group("subject"), ""),
          Long.parseLong(or(rule.group("first"), "1")),
          Long.parseLong(or(rule.group("count"), many)),
          Double.parseDouble(or(rule.group("share"), "1")),
          fault(rule.group("fault"), or(rule.group("argument"), "")));
    }

    /** The operation of a name. */
    public static CloudOperation operation(String wire) {
      return named("operation", wire, CloudOperation.values(), CloudOperation::wire);
    }

    private static MockFault fault(String name, String argument) {
      return switch (name) {
        case "throttle" -> MockFault.refuse(CloudErrorCode.REQUEST_LIMIT_EXCEEDED);
        case "fail" ->
            MockFault.refuse(
                named("code", argument, CloudErrorCode.values(), CloudErrorCode::wire));
        case "lost" -> MockFault.of(MockFault.Kind.LOST);
        case "lost-request" -> MockFault.of(MockFault.Kind.LOST_REQUEST);
        case "hang" -> MockFault.of(MockFault.Kind.HANG);
        case "hang-done" -> MockFault.of(MockFault.Kind.HANG_DONE);
        case "partial" ->
            new MockFault(
                MockFault.Kind.PARTIAL, MockFault.NONE.code(), Integer.parseInt(argument));
        case "stopped" -> MockFault.of(MockFault.Kind.STOPPED);
        case "terminated" -> MockFault.of(MockFault.Kind.TERMINATED);
        default -> throw new IllegalArgumentException("unknown fault '" + name + "'");
      };
    }

    private static <T> T named(String what, String wire, T[] all, Function<T, String> name) {
      return Arrays.stream(all)
          .filter(each -> name.apply(each).equals(wire))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "unknown "
                          + what
                          + " '"
                          + wire
                          + "'; known are "
                          + Arrays.stream(all).map(name).toList()));
    }

    private static String or(@Nullable String text, String otherwise) {
      return text == null ? otherwise : text;
    }

    private boolean concerns(CloudOperation of, String about) {
      return (operation.isEmpty() || operation.get() == of)
          && (subject.isEmpty() || subject.equals(about));
    }
  }

  /**
   * A script.
   *
   * @param stalenessMax every read lags by a random time up to it
   * @param random seeded; used under this object's lock alone
   */
  public FaultScript(List<Rule> rules, Duration stalenessMax, RandomGenerator random) {
    this.rules = List.copyOf(rules);
    this.matches = new long[rules.size()];
    this.stalenessMax = stalenessMax;
    this.random = random;
  }

  @Override
  public synchronized MockFault faultOf(CloudOperation operation, String subject) {
    for (int i = 0; i < matches.length; i++) {
      Rule rule = rules.get(i);
      if (rule.concerns(operation, subject)) {
        long before = matches[i]++ - (rule.first() - 1);
        boolean due = before >= 0 && before < rule.count();
        if (due && (rule.share() >= 1 || random.nextDouble() < rule.share())) {
          return rule.fault();
        }
      }
    }
    return MockFault.NONE;
  }

  @Override
  public synchronized Duration lag() {
    return stalenessMax.isZero()
        ? Duration.ZERO
        : Duration.ofNanos(random.nextLong(stalenessMax.toNanos() + 1));
  }
}
