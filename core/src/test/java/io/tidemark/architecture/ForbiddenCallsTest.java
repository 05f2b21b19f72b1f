package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("A forbidden call is found wherever it is made")
class ForbiddenCallsTest {
  private static JavaClasses offender;

  @BeforeAll
  static void compile(@TempDir Path directory) {
    offender = CompiledText.of(directory, CompiledText.resource("/architecture/Offender.java"));
  }

  static Stream<Signature> signatures() {
    return ForbiddenCalls.FAMILIES.stream().flatMap(family -> family.signatures().stream());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("signatures")
  void signature(Signature signature) {
    assertThat(ForbiddenCalls.rule(signature).evaluate(offender).getFailureReport().getDetails())
        .as("uses of %s in Offender.java", signature)
        .isNotEmpty();
  }

  @Test
  @DisplayName("each family reports the offender, at every place")
  void families() {
    assertThat(ForbiddenCalls.rules("fixture"))
        .allSatisfy(rule -> assertThat(rule.evaluate(offender).hasViolation()).isTrue());
    assertThat(
            ForbiddenCalls.rules("fixture").stream()
                .filter(rule -> rule.getDescription().startsWith("A stage's *Async"))
                .flatMap(rule -> rule.evaluate(offender).getFailureReport().getDetails().stream()))
        .hasSize(4);
  }

  @Test
  @DisplayName("the packages that own a matter may do it, and no other matter")
  void owners(@TempDir Path directory) {
    String text =
        """
        package fixture.time;

        class SystemTime {
          long read() {
            return System.nanoTime();
          }

          String print() {
            return "".formatted();
          }
        }
        """;
    JavaClasses owner = CompiledText.of(directory, text);
    assertThat(
            ForbiddenCalls.rules("fixture").stream()
                .filter(rule -> rule.evaluate(owner).hasViolation())
                .map(rule -> rule.getDescription().replaceFirst(",.*", "")))
        .containsExactly("Character set and language are named");
  }
}
