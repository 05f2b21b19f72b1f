package io.tidemark.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The shape of the agent's library")
class ArchitectureTest {
  @Test
  @DisplayName("The library has no socket, no file and no third party but the log")
  void closed() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.tidemark.agent..",
            "io.tidemark.ip",
            "io.tidemark.time",
            "io.tidemark.error",
            "io.tidemark.metrics",
            "io.micrometer.core.instrument",
            "io.tidemark.resource",
            "io.tidemark.cluster",
            "java.lang..",
            "java.math",
            "java.time",
            "java.util..",
            "org.jspecify.annotations",
            "org.slf4j")
        .because("the program that embeds it brings the threads, sockets and files that it needs")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.tidemark.agent"));
  }
}
