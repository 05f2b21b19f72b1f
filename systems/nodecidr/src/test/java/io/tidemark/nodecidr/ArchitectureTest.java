package io.tidemark.nodecidr;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The shape of the library of node CIDRs")
class ArchitectureTest {
  @Test
  @DisplayName("The library has no thread, no socket, no file and no third party")
  void closed() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.tidemark.nodecidr..",
            "io.tidemark.ip",
            "io.tidemark.time",
            "io.tidemark.error",
            "io.tidemark.config",
            "io.tidemark.cluster",
            "io.tidemark.cluster.run",
            "io.tidemark.cluster.lease",
            "io.tidemark.metrics",
            "io.tidemark.resilience",
            "io.tidemark.resource",
            "io.tidemark.spi",
            "java.lang..",
            "java.math",
            "java.time",
            "java.util",
            "java.util.concurrent..",
            "java.util.function",
            "java.util.random",
            "java.util.regex",
            "java.util.stream",
            "org.jspecify.annotations")
        .because("the program that embeds it brings the threads and the store of nodes")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.tidemark.nodecidr"));
  }
}
