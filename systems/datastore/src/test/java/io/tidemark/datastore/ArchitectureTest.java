package io.tidemark.datastore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The shape of the datastore's library")
class ArchitectureTest {
  @Test
  @DisplayName("The library has no thread, no socket and no third party but JSON and the log")
  void closed() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.tidemark.datastore..",
            "io.tidemark.demand",
            "io.tidemark.ip",
            "io.tidemark.time",
            "io.tidemark.error",
            "io.tidemark.file",
            "io.tidemark.metrics",
            "java.io",
            "java.lang..",
            "java.nio",
            "java.nio.charset",
            "java.nio.file",
            "java.security",
            "java.time",
            "java.util..",
            "com.fasterxml.jackson.core..",
            "org.jspecify.annotations",
            "org.slf4j")
        .because("the program that embeds it brings the threads and sockets that it needs")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.tidemark.datastore"));
  }
}
