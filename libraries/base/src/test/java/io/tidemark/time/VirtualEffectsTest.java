package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
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
                log.add(
                    (thrown == null ? value : thrown.getClass().getSimpleName())
                        + "@"
                        + world.nanos()));
    return effect;
  }

  private static EffectModel fate(EffectFate fate) {
    return (site, timeout) -> fate;
  }

  private void finish() {
    assertThat(world.runUntilIdle(10_000)).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                               | request | answer | loss
          it travels, the leaf runs at one instant, and back   | 10  | 20 | NOTHING | done@10, value@30
          a lost request has no effect                         | 0   | 0  | REQUEST | TimeoutException@100
          a lost answer ends by the timeout, the effect done   | 10  | 0  | ANSWER  | done@10, TimeoutException@100
          a slow request happens after its sender gave up      | 150 | 20 | NOTHING | TimeoutException@100, done@150
          a slow answer comes too late                         | 10  | 91 | NOTHING | done@10, TimeoutException@100
          """)
  @DisplayName("The fate of a request")
  void fates(String name, long request, long answer, EffectFate.Loss loss, String expected) {
    Effect<String> effect = run(fate(new EffectFate(request, answer, loss)), leaf());
    assertThat(effect.started()).isTrue();
    finish();
    assertThat(String.join(", ", log)).as(name).isEqualTo(expected);
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
    assertThat(log).containsExactly("IOException@30");
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
  @DisplayName("An interrupted request ends at once; what left arrives all the same")
  void interrupted() {
    Effect<String> effect = run(EffectModel.reliable(REQUEST, ANSWER), leaf());
    world.at(5, effect::interrupt);
    world.at(6, effect::interrupt);
    finish();
    assertThat(log).containsExactly("CancellationException@5", "done@10");
  }

  @Test
  @DisplayName("A crash lets the request on the wire arrive, or not, and drops the answer")
  void crashOnTheWire() {
    run(EffectModel.reliable(REQUEST, ANSWER), leaf());
    world.at(5, () -> process.crash(VirtualProcess.OnTheWire.ARRIVES));
    finish();
    assertThat(log).containsExactly("done@10");
    VirtualProcess second = world.process("second");
    second
        .effects(EffectModel.reliable(REQUEST, ANSWER))
        .run(SITE, TIMEOUT, leaf())
        .stage()
        .whenComplete((value, thrown) -> log.add("heard"));
    second.crash(VirtualProcess.OnTheWire.IS_LOST);
    finish();
    assertThat(log).containsExactly("done@10");
  }

  @Test
  @DisplayName("A crash after the effect drops the answer on its way back")
  void crashAfter() {
    run(EffectModel.reliable(REQUEST, ANSWER), leaf());
    world.at(15, () -> process.crash(VirtualProcess.OnTheWire.ARRIVES));
    finish();
    assertThat(log).containsExactly("done@10");
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

  @Test
  @DisplayName("A frozen process hears its answers late, its requests arrive in time")
  void frozen() {
    run(EffectModel.reliable(REQUEST, ANSWER), leaf());
    process.freeze(Duration.ofNanos(80));
    finish();
    assertThat(log).containsExactly("done@10", "value@80");
  }

  @Test
  @DisplayName("Failures name the operation")
  void messages() {
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Effect<String> effect =
          process.effects(fate(EffectFate.requestLost())).run(SITE, TIMEOUT, leaf());
      effect
          .stage()
          .whenComplete(
              (value, thrown) -> {
                if (thrown != null) {
                  failures.add(thrown);
                }
              });
      if (i == 0) {
        effect.interrupt();
      }
    }
    finish();
    assertThat(failures.get(0))
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("AssignPrivateIpAddresses");
    assertThat(failures.get(1))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("AssignPrivateIpAddresses");
  }
}
