package io.tidemark.nodeid;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The shape of the library of node ids")
class ArchitectureTest {
  @Test
  @DisplayName("The library has no thread, no socket, no file and no third party but its readers")
  void closed() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.tidemark.nodeid..",
            "io.tidemark.ip",
            "io.tidemark.time",
            "io.tidemark.error",
            "io.tidemark.config",
            "io.tidemark.cluster",
            "io.tidemark.cluster.run",
            "io.tidemark.metrics",
            "io.tidemark.resilience",
            "io.tidemark.resource",
            "java.io",
            "java.lang..",
            "java.time",
            "java.util..",
            "com.fasterxml.jackson.core..",
            "org.snakeyaml.engine..",
            "org.jspecify.annotations")
        .because("the program that embeds it brings the threads and the store of claims")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.tidemark.nodeid"));
  }
}
