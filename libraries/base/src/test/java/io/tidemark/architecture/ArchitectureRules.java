package io.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every rule on the main classes of all modules, for a test that has them on its class path. */
@Tag("any-jdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // the classes are read once
public abstract class ArchitectureRules {
  private static final String ROOT = "io.tidemark";

  private final JavaClasses classes = ProductClasses.under(ROOT);

  @TestFactory
  @DisplayName("The dependency rule")
  Stream<DynamicTest> dependencyRule() {
    return tests(Drawing.rules(ROOT));
  }

  @TestFactory
  @DisplayName("Libraries stop at their door")
  Stream<DynamicTest> doors() {
    return tests(Doors.rules(ROOT));
  }

  @TestFactory
  @DisplayName("Forbidden calls")
  Stream<DynamicTest> forbiddenCalls() {
    return tests(ForbiddenCalls.rules(ROOT));
  }

  private Stream<DynamicTest> tests(List<ArchRule> rules) {
    return rules.stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }
}
