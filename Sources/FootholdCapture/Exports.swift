@_exported import FootholdScene
