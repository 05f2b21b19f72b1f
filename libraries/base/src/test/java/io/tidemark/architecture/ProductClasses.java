package io.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Main classes of the product; tests, their jars and generated benchmark harnesses left out. */
final class ProductClasses {
  private ProductClasses() {}

  static JavaClasses under(String root) {
    JavaClasses found =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("/jmh_generated/"))
            .importPackages(root);
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "no class of " + root + " on the class path: nothing to check");
    }
    return found;
  }
}
