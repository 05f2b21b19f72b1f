package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VirtualEffectsTest {
  private static final EffectSite SITE = new EffectSite("AssignPrivateIpAddresses", "n1");
  private static final Duration TIMEOUT = Duration.ofNanos(100);
  private static final Duration REQUEST = Duration.ofNanos(10);
  private static final Duration ANSWER = Duration.ofNanos(20);

  private final VirtualTime world = new VirtualTime(0);
  private final VirtualProcess process = world.process("operator");
  private final List<String> log = new ArrayList<>();

  private Callable<String> leaf() {
    return () -> {
      log.add("done@" + world.nanos());
      return "value";
    };
  }

  private Effect<String> run(EffectModel model, Callable<String> leaf) {
    Effect<String> effect = process.effects(model).run(SITE, TIMEOUT, leaf);
    effect
        .stage()
        .whenComplete(
            (value, thrown) ->
                log.add((thrown == null ? value : text(thrown)) + "@" + world.nanos()));
    return effect;
  }

  /** Our failures name the operation, which is left out here. */
  private static String text(Throwable thrown) {
    String text = thrown.getClass().getSimpleName() + " " + thrown.getMessage();
    return text.replaceAll(" .*" + SITE.operation() + ".*", "");
  }

  private void finish() {
    assertThat(world.runUntilIdle(10_000)).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                               | request | answer | loss | then
          it travels, the leaf runs at one instant, and back   | 10  | 20 | NOTHING |              | done@10, value@30
          a lost request has no effect                         | 0   | 0  | REQUEST |              | TimeoutException@100
          a lost answer ends by the timeout, the effect done   | 10  | 0  | ANSWER  |              | done@10, TimeoutException@100
          a slow request happens after its sender gave up      | 150 | 20 | NOTHING |              | TimeoutException@100, done@150
          a slow answer comes too late                         | 10  | 91 | NOTHING |              | done@10, TimeoutException@100
          an interrupted one ends at once, what left arrives   | 10  | 20 | NOTHING | interrupt 5  | CancellationException@5, done@10
          a crash lets what is on the wire arrive              | 10  | 20 | NOTHING | ARRIVES 5    | done@10
          or not                                               | 10  | 20 | NOTHING | IS_LOST 5    | ''
          a crash after the effect drops the answer            | 10  | 20 | NOTHING | ARRIVES 15   | done@10
          a frozen process hears late, its requests are sent   | 10  | 20 | NOTHING | freeze 0     | done@10, value@80
          """)
  @DisplayName("The fate of a request")
  void fates(
      String name,
      long request,
      long answer,
      EffectFate.Loss loss,
      @Nullable String then,
      String expected) {
    Effect<String> effect = run((site, timeout) -> new EffectFate(request, answer, loss), leaf());
    assertThat(effect.started()).isTrue();
    if (then != null) {
      String[] words = then.split(" ", -1);
      world.at(Long.parseLong(words[1]), () -> happen(words[0], effect));
    }
    finish();
    assertThat(String.join(", ", log)).as(name).isEqualTo(expected);
  }

  private void happen(String what, Effect<?> effect) {
    switch (what) {
      case "interrupt" -> {
        effect.interrupt();
        effect.interrupt();
      }
      case "freeze" -> process.freeze(Duration.ofNanos(80));
      default -> process.crash(VirtualProcess.OnTheWire.valueOf(what));
    }
  }

  @Test
  @DisplayName("What the leaf throws arrives unwrapped")
  void thrown() {
    run(
        EffectModel.reliable(REQUEST, ANSWER),
        () -> {
          throw new IOException("reset");
        });
    finish();
    assertThat(log).containsExactly("IOException reset@30");
  }

  @Test
  @DisplayName("A leaf that never answers is held open until the timeout")
  void neverAnswers() {
    run(
        EffectModel.reliable(REQUEST, ANSWER),
        () -> {
          throw new NeverAnswers("hangs");
        });
    finish();
    assertThat(log).containsExactly("TimeoutException@100");
  }

  @Test
  @DisplayName("A model can crash the process before and after any effect")
  void crashPoints() {
    run(
        (site, timeout) -> {
          process.crash(VirtualProcess.OnTheWire.ARRIVES);
          return EffectFate.answered(REQUEST, ANSWER);
        },
        leaf());
    finish();
    assertThat(log).isEmpty();
    VirtualProcess second = world.process("second");
    EffectModel crashAfter =
        new EffectModel() {
          @Override
          public EffectFate decide(EffectSite site, Duration timeout) {
            return EffectFate.answered(REQUEST, ANSWER);
          }

          @Override
          public void executed(EffectSite site) {
            log.add("crash after " + site.operation());
            second.crash(VirtualProcess.OnTheWire.ARRIVES);
          }
        };
    second
        .effects(crashAfter)
        .run(SITE, TIMEOUT, leaf())
        .stage()
        .whenComplete((value, thrown) -> log.add("heard"));
    finish();
    assertThat(log).containsExactly("done@10", "crash after AssignPrivateIpAddresses");
  }

  @Test
  @DisplayName("A crashed process sends nothing")
  void sendsNothing() {
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
    run(EffectModel.reliable(REQUEST, ANSWER), leaf());
    finish();
    assertThat(log).isEmpty();
  }
}
