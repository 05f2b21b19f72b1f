package io.tidemark.provider.azure;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the Azure provider")
class ArchitectureTest extends ArchitectureRules {}
